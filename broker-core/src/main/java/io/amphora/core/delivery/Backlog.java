package io.amphora.core.delivery;

import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.PositionTracker;
import io.amphora.wal.LogRecord;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one group has not done yet on one partition, and which of it is next: returned messages
 * first, then new ones in offset order. Decides; the {@link Dispatcher} acts. Owned by the
 * partition loop.
 */
final class Backlog {
  /** What is to be done next. */
  sealed interface Next {}

  /** Nothing can be handed out now. */
  record Nothing() implements Next {}

  /** This record is to be handed to this member; it waits here no more. */
  record Hand(Seat seat, LogRecord record, ReturnedMessages.Message message) implements Next {
    /** Whether it came back. */
    boolean again() {
      return message != ReturnedMessages.Message.NEW;
    }
  }

  /**
   * The log must be read first.
   *
   * @param again for messages that were read before
   */
  record Read(ReadRequest request, boolean again) implements Next {}

  private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
  private static final Nothing NOTHING = new Nothing();
  private static final int FETCH_BYTES = 256 << 10;
  private static final int SCAN_LIMIT = 1000;

  private final LoopDelivery room;
  private final CommittedLog log;
  private final PositionTracker tracker;
  private final Seats seats;
  private final ReturnedMessages returned;
  private final ReadAhead ahead;

  Backlog(
      LoopDelivery room,
      CommittedLog log,
      PositionTracker tracker,
      Seats seats,
      ReturnedMessages returned) {
    this.room = room;
    this.log = log;
    this.tracker = tracker;
    this.seats = seats;
    this.returned = returned;
    this.ahead = new ReadAhead(tracker.committed());
  }

  /** What to do now that some member has credit. */
  Next next() {
    Next first = nextReturned();
    return first instanceof Nothing ? nextNew() : first;
  }

  private Next nextReturned() {
    int scanned = 0;
    for (Map.Entry<Long, ReturnedMessages.Message> entry : returned.waiting().entrySet()) {
      Optional<Seat> seat = seats.next(entry.getValue().excluded());
      if (seat.isPresent()) {
        long offset = entry.getKey();
        Optional<LogRecord> record = returned.record(offset);
        if (record.isEmpty()) {
          return new Read(new ReadRequest(offset, FETCH_BYTES), true);
        }
        returned.remove(offset);
        return new Hand(seat.get(), record.get(), entry.getValue());
      }
      if (++scanned >= SCAN_LIMIT) {
        return NOTHING;
      }
    }
    return NOTHING;
  }

  private Next nextNew() {
    Optional<LogRecord> first = ahead.peek();
    if (first.isEmpty()) {
      boolean more = ahead.cursor() < log.highWatermark() && tracker.hasRoomFor(ahead.cursor());
      return more ? new Read(new ReadRequest(ahead.cursor(), room.readBytes()), false) : NOTHING;
    }
    if (!tracker.hasRoomFor(first.get().offset())) {
      return NOTHING;
    }
    ahead.removeFirst();
    Seat seat = seats.next(Set.of()).orElseThrow();
    return new Hand(seat, first.get(), ReturnedMessages.Message.NEW);
  }

  /**
   * What was asked for with a {@link Read} is here.
   *
   * @return false when it brought nothing at all
   */
  boolean onRead(Read read, ReadSlice slice) {
    return read.again() ? onFetched(read.request().offset(), slice) : onReadAhead(slice);
  }

  private boolean onReadAhead(ReadSlice slice) {
    long gap = ahead.gap(slice);
    if (gap > 0) {
      room.metrics().gaps.mark(gap);
      LOG.warn(
          "{}-{}: retention removed {} offsets before a group had them; it continues at {}",
          log.topic(),
          log.partition(),
          gap,
          slice.logStart());
    }
    return ahead.fill(slice, tracker);
  }

  /** A message that is gone needs no delivery. */
  private boolean onFetched(long offset, ReadSlice slice) {
    returned.onFetched(slice.batches());
    if (returned.record(offset).isPresent() || !returned.waiting().containsKey(offset)) {
      return true;
    }
    if (slice.batches().isEmpty() && slice.logStart() <= offset) {
      return false;
    }
    room.metrics().gaps.mark();
    Optional.ofNullable(returned.waiting().get(offset)).ifPresent(returned::forget);
    returned.remove(offset);
    tracker.done(offset);
    return true;
  }

  /** True when it holds or may hold a message for this member. */
  boolean hasWorkFor(Seat seat) {
    if (returned.hasWaitingFor(seat, SCAN_LIMIT)) {
      return true;
    }
    long next = ahead.peek().map(LogRecord::offset).orElseGet(ahead::cursor);
    return next < log.highWatermark() && tracker.hasRoomFor(next);
  }

  /** The last member left: nothing is held ready. */
  void onAbandoned() {
    ahead.drop();
    returned.onAbandoned();
  }
}
