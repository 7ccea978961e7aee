package io.amphora.core.partition;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.replication.HighWatermark;
import io.amphora.wal.BatchFormat;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogRecord;
import io.amphora.wal.LogState;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This broker leads the partition in one epoch: gives offsets, appends, and answers when the high
 * watermark has passed. Of use only after its epoch start is committed. Owned by the partition
 * loop.
 *
 * <p>Under a flush policy other than {@code commit} the written end counts as durable: a crash of
 * the machine may lose what was acknowledged, which is what the topic's owner chose.
 */
final class Leader implements Role {

  private static final Logger LOG = LoggerFactory.getLogger(Leader.class);

  /** Pause before the epoch start is tried again: the disk was full, or its queue was. */
  private static final long EPOCH_START_RETRY_NANOS = 200_000_000L;

  private static final long MOST_AHEAD_MILLIS = 24L * 3600 * 1000;

  private final PartitionSetup setup;
  private final LoopResources resources;
  private final OpenLog open;
  private final int epoch;
  private final Runnable onOpen;
  private final HighWatermark highWatermark;
  private final PendingAcks pending;
  private final TailCache tail;
  private final long startOffset;
  private boolean startQueued;
  private boolean ended;
  private boolean rejecting;
  private Optional<BrokerException> refusal = Optional.empty();
  private Runnable onDrained = () -> {};

  /**
   * @param onOpen called once, when the epoch start is committed
   */
  Leader(PartitionSetup setup, LoopResources resources, OpenLog open, int epoch, Runnable onOpen) {
    if (epoch <= open.history.lastEpoch()) {
      throw new IllegalStateException(
          setup + ": epoch " + epoch + " after " + open.history.lastEpoch());
    }
    this.setup = setup;
    this.resources = resources;
    this.open = open;
    this.epoch = epoch;
    this.onOpen = onOpen;
    this.startOffset = open.appendedEnd;
    this.highWatermark = new HighWatermark(setup.config(), 1, setup.self(), startOffset + 1);
    this.pending = new PendingAcks(resources.budget(), resources.metrics());
    this.tail = new TailCache(resources.tail());
  }

  int epoch() {
    return epoch;
  }

  /** False until the epoch start is committed, and again when leadership is over. */
  boolean isOpen() {
    return highWatermark.isOpen() && !ended;
  }

  boolean hasEnded() {
    return ended;
  }

  long highWatermark() {
    return highWatermark.value();
  }

  long pendingBytes() {
    return pending.bytes();
  }

  OpenLog log() {
    return open;
  }

  TailCache tail() {
    return tail;
  }

  LoopResources resources() {
    return resources;
  }

  /** Appends the epoch start, again and again until the log takes it. */
  void begin() {
    if (ended || startQueued) {
      return;
    }
    RecordBatch batch = EpochStartBatch.of(epoch).seal(startOffset, epoch, appendTime());
    if (!open.log.append(batch)) {
      resources.loop().schedule(EPOCH_START_RETRY_NANOS, this::begin);
      return;
    }
    startQueued = true;
    open.appendedEnd = batch.endOffset();
    open.history.add(epoch, startOffset);
    tail.add(batch);
  }

  /**
   * Times do not go back within a partition when the clock does, but for a jump of more than a day:
   * a clock that once was years ahead must not keep everything from retention for years.
   */
  private long appendTime() {
    long now = resources.loop().nowMillis();
    if (open.lastTimestamp - now > MOST_AHEAD_MILLIS) {
      LOG.warn("{}: the clock went back from {} to {} ms", setup, open.lastTimestamp, now);
      open.lastTimestamp = now;
    }
    open.lastTimestamp = Math.max(open.lastTimestamp, now);
    return open.lastTimestamp;
  }

  /**
   * An append arrives.
   *
   * @param reserved whether its bytes are taken from the budget
   */
  void onAppend(AppendRequest request, boolean reserved) {
    Optional<BrokerException> refused = append(request, reserved);
    if (refused.isPresent()) {
      if (reserved) {
        resources.budget().release(AppendBudget.costOf(request.records()));
      }
      request.records().discard();
      pending.refuse(request, refused.get());
    }
  }

  private Optional<BrokerException> append(AppendRequest request, boolean reserved) {
    // What a transaction brings is promised already: no quota holds it back (safety rule 13).
    boolean promised = request.records().isTransactional();
    Optional<BrokerException> no = refusal.or(() -> whyNot(reserved, promised));
    if (no.isPresent()) {
      return no;
    }
    RecordBatch batch = request.records().seal(open.appendedEnd, epoch, appendTime());
    if (!promised && isTooLarge(batch)) {
      return refused(
          ErrorCode.MESSAGE_TOO_LARGE,
          "a message is larger than " + setup.topic().config().maxMessageBytes() + " bytes");
    }
    if (!open.log.append(batch)) {
      return refused(ErrorCode.RESOURCE_LIMIT, "the disk is too slow for what is sent");
    }
    open.appendedEnd = batch.endOffset();
    tail.add(batch);
    pending.add(
        request,
        new PendingAcks.Sealed(batch.baseOffset(), batch.endOffset(), resources.loop().nowNanos()));
    return Optional.empty();
  }

  private Optional<BrokerException> whyNot(boolean reserved, boolean promised) {
    if (!startQueued) {
      return refused(ErrorCode.RESOURCE_LIMIT, setup + " cannot write its epoch start: disk full");
    }
    if (resources.alarm().isLow() && !setup.topic().isInternal() && !promised) {
      return refused(ErrorCode.RESOURCE_LIMIT, "free disk space is below the reserve");
    }
    return reserved
        ? Optional.empty()
        : refused(ErrorCode.RESOURCE_LIMIT, "too many bytes wait for the disk");
  }

  private static Optional<BrokerException> refused(ErrorCode code, String message) {
    return Optional.of(new BrokerException(code, message));
  }

  /** Looks at single records only when the whole batch is larger than one may be. */
  private boolean isTooLarge(RecordBatch batch) {
    long max = setup.topic().config().maxMessageBytes();
    if (batch.plainSize() - BatchFormat.R_FIXED <= max) {
      return false;
    }
    for (LogRecord record : batch) {
      if (record.payloadSize() > max) {
        return true;
      }
    }
    return false;
  }

  /**
   * The log grew or its start moved.
   *
   * @return true when readers have something new: the high watermark or the log start moved
   */
  boolean onProgress(LogState now) {
    rejecting = false;
    if (now.writtenEnd() > open.appendedEnd) {
      resources.faults().fatal(unexpectedEnd(now), new IllegalStateException("log end"));
      return false;
    }
    boolean startMoved = now.logStart() != open.state.logStart();
    open.state = now;
    boolean wasOpen = highWatermark.isOpen();
    long end = leaderEnd(now);
    boolean moved = highWatermark.onDurable(setup.self(), end);
    pending.onReached(
        new PendingAcks.Reached(highWatermark.value(), end, resources.loop().nowNanos()));
    if (!wasOpen && highWatermark.isOpen()) {
      onOpen.run();
    }
    checkDrained();
    return wasOpen && (moved || startMoved);
  }

  private String unexpectedEnd(LogState now) {
    return "The log of %s ends at %d but only %d was appended: report this as a bug of the broker."
        .formatted(setup, now.writtenEnd(), open.appendedEnd);
  }

  private long leaderEnd(LogState now) {
    return setup.topic().config().flush() == FlushPolicy.COMMIT
        ? now.durableEnd()
        : now.writtenEnd();
  }

  /** What was appended from {@code fromOffset} on is not in the log; the end goes back there. */
  void onRejected(long fromOffset, WalException error) {
    if (!rejecting) {
      rejecting = true;
      LOG.warn("{}: appends from {} on are refused: {}", setup, fromOffset, error.getMessage());
    }
    open.onRejected(fromOffset);
    tail.truncateTo(fromOffset);
    boolean full = error.kind() == WalException.Kind.DISK_FULL;
    String why = full ? "disk full" : "the message could not be stored";
    pending.onRejected(fromOffset, new BrokerException(WalErrors.codeOf(error.kind()), why, error));
    if (fromOffset <= startOffset) {
      startQueued = false;
      resources.loop().schedule(EPOCH_START_RETRY_NANOS, this::begin);
    }
    checkDrained();
  }

  /** Takes nothing more; {@code drained} is called when nothing waits for an answer. */
  void refuseNew(BrokerException reason, Runnable drained) {
    refusal = Optional.of(reason);
    onDrained = drained;
    checkDrained();
  }

  /** The time to wait is over. */
  void stopWaiting() {
    Runnable drained = onDrained;
    onDrained = () -> {};
    drained.run();
  }

  private void checkDrained() {
    if (refusal.isPresent() && pending.isEmpty()) {
      stopWaiting();
    }
  }

  /** Leadership is over: what waits is in doubt. */
  void end(String reason) {
    ended = true;
    pending.onLost(reason);
    tail.clear();
    stopWaiting();
  }

  /** Gives up what is below an offset, and below the high watermark (safety rule 10). */
  void truncateBefore(long offset) {
    if (isOpen()) {
      open.log.truncateBefore(Math.min(offset, highWatermark.value()), result -> {});
    }
  }

  /** Applies retention below the high watermark (safety rule 10). */
  void onRetention(long nowMillis) {
    long age = setup.topic().config().retention().millis();
    long size = setup.topic().config().retention().bytes();
    boolean forever = age == Long.MAX_VALUE && size == Long.MAX_VALUE;
    if (forever || setup.topic().isInternal() || !isOpen()) {
      return;
    }
    long olderThan = age >= nowMillis ? Long.MIN_VALUE : nowMillis - age;
    open.log.retain(highWatermark.value(), olderThan, size, result -> {});
  }
}
