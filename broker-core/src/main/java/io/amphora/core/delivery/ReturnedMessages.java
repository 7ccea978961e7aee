package io.amphora.core.delivery;

import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Messages that came back and wait to be delivered again, lowest offset first. Holds offsets; the
 * records of one read are kept until they are handed out. Owned by the partition loop; bounded by
 * the ack window.
 */
final class ReturnedMessages {
  /** Annotations of {@code modified} outcomes kept at a time, bytes; what is beyond is dropped. */
  private static final int ANNOTATION_BYTES = 1 << 20;

  private static final byte[] NONE = new byte[0];

  /**
   * A message that is or was in flight.
   *
   * @param annotations of the latest {@code modified} outcome that had any
   * @param excluded members that must not get it again
   * @param seen whether it was handed out before
   */
  record Message(byte[] annotations, Set<Seat> excluded, boolean seen) {
    /** Never handed out before. */
    static final Message NEW = new Message(NONE, Set.of(), false);

    private static final Message SEEN = new Message(NONE, Set.of(), true);

    /** The message after it was handed out. */
    Message handed() {
      return seen ? this : SEEN;
    }

    /** Members that left meanwhile are forgotten: they would be kept in memory, ever more. */
    Message excluding(Seat seat, Seats present) {
      Set<Seat> more = new HashSet<>(excluded);
      more.removeIf(other -> !present.contains(other));
      more.add(seat);
      return new Message(annotations, Set.copyOf(more), seen);
    }

    private Message forAnybody() {
      return excluded.isEmpty() ? this : new Message(annotations, Set.of(), seen);
    }
  }

  private record Held(Message message, long deadlineNanos) {}

  private final TreeMap<Long, Message> waiting = new TreeMap<>();
  private final TreeMap<Long, Held> held = new TreeMap<>();
  private final Map<Long, LogRecord> fetched = new HashMap<>();
  private int annotationBytes;

  /** The message with the annotations of an outcome, as far as there is room for them. */
  Message annotated(Message message, byte[] annotations) {
    if (annotations.length == 0 || annotationBytes + annotations.length > ANNOTATION_BYTES) {
      return message;
    }
    annotationBytes += annotations.length - message.annotations().length;
    return new Message(annotations, message.excluded(), message.seen());
  }

  /** The message is finished: its annotations are no longer kept. */
  void forget(Message message) {
    annotationBytes -= message.annotations().length;
  }

  void add(long offset, Message message) {
    waiting.put(offset, message);
  }

  /** Keeps a message back that no present member may have. */
  void hold(long offset, Message message, long deadlineNanos) {
    held.put(offset, new Held(message, deadlineNanos));
  }

  /** A member came: what was held back may be for it. */
  void releaseHeld() {
    held.forEach((offset, entry) -> waiting.put(offset, entry.message()));
    held.clear();
  }

  /** The last member left: everything waits for whoever comes next, and nothing is held ready. */
  void onAbandoned() {
    releaseHeld();
    waiting.replaceAll((offset, message) -> message.forAnybody());
    fetched.clear();
  }

  /** Moves what no present member may have any more from the queue to the held ones. */
  void holdUnwanted(Seats seats, long deadlineNanos) {
    waiting
        .entrySet()
        .removeIf(
            entry -> {
              boolean unwanted = seats.allIn(entry.getValue().excluded());
              if (unwanted) {
                hold(entry.getKey(), entry.getValue(), deadlineNanos);
              }
              return unwanted;
            });
  }

  /** Takes out what was held back for too long. */
  List<Long> takeExpired(long nowNanos) {
    List<Long> expired = new ArrayList<>();
    held.forEach(
        (offset, entry) -> {
          if (nowNanos - entry.deadlineNanos() >= 0) {
            expired.add(offset);
            forget(entry.message());
          }
        });
    expired.forEach(held::remove);
    return expired;
  }

  boolean holdsBack() {
    return !held.isEmpty();
  }

  /** Waiting messages by offset. */
  Map<Long, Message> waiting() {
    return waiting;
  }

  boolean isEmpty() {
    return waiting.isEmpty() && held.isEmpty();
  }

  /** True when one of the first waiting messages may go to this member. */
  boolean hasWaitingFor(Seat seat, int limit) {
    return waiting.values().stream().limit(limit).anyMatch(m -> !m.excluded().contains(seat));
  }

  /** The record, when the last read brought it. */
  Optional<LogRecord> record(long offset) {
    return Optional.ofNullable(fetched.get(offset));
  }

  /** Keeps the records of a read that are waited for, instead of those of the read before. */
  void onFetched(List<RecordBatch> batches) {
    fetched.clear();
    for (RecordBatch batch : batches) {
      if (batch.isControl()) {
        continue;
      }
      for (LogRecord record : batch) {
        if (waiting.containsKey(record.offset())) {
          fetched.put(record.offset(), record);
        }
      }
    }
  }

  /** It is handed out, or gone. */
  void remove(long offset) {
    waiting.remove(offset);
    fetched.remove(offset);
  }
}
