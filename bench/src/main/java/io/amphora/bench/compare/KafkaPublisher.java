package io.amphora.bench.compare;

import io.amphora.boot.perf.wire.Counts;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes with Kafka's own client on a thread of its own. A message carries the time at which it
 * was due. The client's thread writes the counters; the histogram is read after the end.
 */
final class KafkaPublisher implements AutoCloseable {

  private final KafkaProducer<byte[], byte[]> producer;
  private final Generator.Job job;
  private final byte[] body;
  private final AtomicLong acknowledged = new AtomicLong();
  private final Histogram latency = Counts.histogram();
  private volatile long recordedFrom = Long.MAX_VALUE;
  private volatile boolean stopped;
  private volatile Optional<Exception> failure = Optional.empty();
  private Optional<Thread> thread = Optional.empty();

  KafkaPublisher(String bootstrap, Generator.Job job, boolean batching) {
    this.job = job;
    body = new byte[job.size()];
    new Random(1).nextBytes(body);
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "acks",
                "all",
                "batch.size",
                64 << 10,
                // The client's default where it may wait for more; nothing where time counts.
                "linger.ms",
                batching ? 5 : 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.partitionsFor(job.address()); // creates the topic
  }

  /** Publishes until it is stopped, or so many. */
  void start(long count) {
    Thread run = new Thread(() -> run(count), "kafka-publisher");
    run.setDaemon(true);
    thread = Optional.of(run);
    run.start();
  }

  private void run(long count) {
    long interval = job.rate() > 0 ? (long) (1e9 / job.rate()) : 0;
    long due = System.nanoTime();
    for (long sent = 0; sent < count && !stopped; sent++) {
      long now = System.nanoTime();
      while (interval > 0 && due > now && !stopped) {
        LockSupport.parkNanos(due - now);
        now = System.nanoTime();
      }
      send(interval > 0 ? due : now);
      due += interval;
    }
  }

  /** Sends one message now. */
  void send(long due) {
    byte[] copy = body.clone();
    ByteBuffer.wrap(copy).putLong(due);
    Object unused = // the callback is told
        producer.send(
            new ProducerRecord<>(job.address(), copy),
            (metadata, error) -> {
              if (error != null) {
                failure = Optional.of(error);
                return;
              }
              if (due >= recordedFrom) {
                latency.recordValue(Math.max(0, System.nanoTime() - due));
              }
              acknowledged.incrementAndGet();
            });
  }

  /** Waits until all that was sent is acknowledged. */
  void flush() {
    producer.flush();
  }

  long acknowledged() {
    failure.ifPresent(
        error -> {
          throw new IllegalStateException(error);
        });
    return acknowledged.get();
  }

  void recordFrom(long nanos) {
    recordedFrom = nanos;
  }

  Histogram latency() {
    return latency;
  }

  /** Stops and waits for what is under way. */
  @Override
  public void close() {
    stopped = true;
    try {
      if (thread.isPresent()) {
        thread.get().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close();
  }
}
