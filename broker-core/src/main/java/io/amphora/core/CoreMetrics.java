package io.amphora.core;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.amphora.wal.Wal;
import java.util.function.LongSupplier;

/**
 * Figures of the partitions of this node, all topics together, so that their number is bounded.
 * Updated once per batch or once per round of the disk, never once per message.
 */
public final class CoreMetrics {

  private final MetricRegistry registry;

  /** Messages appended and acknowledged as asked. */
  public final Meter messagesIn;

  /** Bytes of the batches that hold them. */
  public final Meter bytesIn;

  /** Append to answer: the oldest batch of each round of answers. */
  public final Timer appendLatency;

  /** Appends refused, for any reason. */
  public final Counter appendsRefused;

  /** Appends that ended in doubt. */
  public final Counter appendsIndeterminate;

  /** Reads of dispatchers served from memory. */
  public final Counter readsFromTail;

  /** Reads that went to the disk. */
  public final Counter readsFromDisk;

  /** Partitions led here. */
  public final Counter partitionsLed;

  /** Leaderships begun since start. */
  public final Counter leaderChanges;

  public CoreMetrics(MetricRegistry registry) {
    this.registry = registry;
    messagesIn = registry.meter("core.messages.in");
    bytesIn = registry.meter("core.bytes.in");
    appendLatency = registry.timer("core.append.latency");
    appendsRefused = registry.counter("core.appends.refused");
    appendsIndeterminate = registry.counter("core.appends.indeterminate");
    readsFromTail = registry.counter("core.reads.tail");
    readsFromDisk = registry.counter("core.reads.disk");
    partitionsLed = registry.counter("core.partitions.led");
    leaderChanges = registry.counter("core.leader.changes");
  }

  /** Shows a number that its owner publishes for any thread. */
  public void gauge(String name, LongSupplier value) {
    registry.gauge(name, () -> (Gauge<Long>) value::getAsLong);
  }

  /** Shows what the disk thread does. */
  public void wal(Wal wal) {
    gauge("wal.queue.commands", () -> wal.stats().queuedCommands());
    gauge("wal.queue.bytes", () -> wal.stats().queuedBytes());
    gauge("wal.forces", () -> wal.stats().forces());
    gauge("wal.force.nanos", () -> wal.stats().forceNanos());
    gauge("wal.bytes.written", () -> wal.stats().bytesWritten());
    gauge("wal.free.bytes", () -> wal.stats().freeBytes());
    gauge("wal.disk.low", () -> wal.stats().diskLow() ? 1 : 0);
  }
}
