package io.amphora.core.transaction;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.wal.RecordBatch;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the transaction log as a start needs it. Owned by the loop of the log. */
final class IntentReader {
  private static final Logger LOG = LoggerFactory.getLogger(IntentReader.class);
  private static final int STEP_BYTES = 1 << 20;
  private static final long RETRY_NANOS = 100_000_000L;

  private final CommittedLog log;
  private final Loop loop;
  private final OpenIntents open;

  /**
   * @param open filled by {@link #load}
   */
  IntentReader(CommittedLog log, Loop loop, OpenIntents open) {
    this.log = log;
    this.loop = loop;
    this.open = open;
  }

  /**
   * Reads everything, to find out what is not applied.
   *
   * @param done gets how much that is; fails when stored bytes are damaged
   */
  void load(Consumer<Reply<Integer>> done) {
    load(log.logStart(), log.highWatermark(), done);
  }

  /** Reads one step and posts the next, so that neither memory nor a turn of the loop grows. */
  private void load(long from, long end, Consumer<Reply<Integer>> done) {
    if (from >= end) {
      done.accept(Reply.ok(open.size()));
      return;
    }
    log.read(
        new ReadRequest(from, STEP_BYTES),
        reply -> {
          try {
            long next = onStep(from, reply);
            if (next > from) {
              loop.execute(() -> load(next, end, done));
            } else {
              loop.schedule(RETRY_NANOS, () -> load(Math.max(from, log.logStart()), end, done));
            }
          } catch (BrokerException corrupt) {
            done.accept(new Reply.Failed<>(explained(corrupt)));
          }
        });
  }

  private long onStep(long from, Reply<ReadSlice> reply) {
    long next = from;
    for (RecordBatch batch : batches(reply)) {
      if (!batch.isControl()) {
        onBatch(batch);
      }
      next = batch.endOffset();
    }
    return next;
  }

  private void onBatch(RecordBatch batch) {
    IntentCodec.Entry entry = IntentCodec.entry(batch);
    if (entry instanceof IntentCodec.Begun) {
      open.onIntent(batch.baseOffset(), batch.epoch());
    } else if (entry instanceof IntentCodec.Applied applied) {
      open.onApplied(applied.offsets());
    }
  }

  /** Reads one intent. */
  void read(long offset, Consumer<Reply<Intent>> done) {
    log.read(
        new ReadRequest(offset, 1),
        reply -> {
          try {
            Optional<RecordBatch> found =
                batches(reply).stream().filter(b -> b.baseOffset() == offset).findFirst();
            if (found.isPresent()) {
              done.accept(Reply.ok(IntentCodec.decode(found.get())));
            } else {
              loop.schedule(RETRY_NANOS, () -> read(offset, done));
            }
          } catch (BrokerException corrupt) {
            done.accept(new Reply.Failed<>(explained(corrupt)));
          }
        });
  }

  /**
   * Empty when the read should be repeated.
   *
   * @throws BrokerException when that would not help
   */
  private static List<RecordBatch> batches(Reply<ReadSlice> reply) {
    if (reply instanceof Reply.Failed<ReadSlice> failed) {
      if (failed.error().code() == ErrorCode.CORRUPT) {
        throw failed.error();
      }
      LOG.warn("{} cannot be read: {}", TransactionLog.TOPIC, failed.error().getMessage());
      return List.of();
    }
    return reply.orThrow().batches();
  }

  private static BrokerException explained(BrokerException corrupt) {
    return new BrokerException(
        ErrorCode.CORRUPT,
        TransactionLog.TOPIC
            + " is damaged: "
            + corrupt.getMessage()
            + ". Transactions that were committed may not be applied yet: restore its folder from"
            + " a backup",
        corrupt);
  }
}
