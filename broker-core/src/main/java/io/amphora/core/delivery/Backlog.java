package io.amphora.core.delivery;

import io.amphora.core.filter.Candidate;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.PositionTracker;
import io.amphora.wal.LogRecord;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one group has not done yet on one partition, and which of it is next: returned messages
 * first, then those that were passed over, then new ones, each in offset order. Decides; the {@link
 * Dispatcher} acts. Owned by the partition loop.
 */
final class Backlog {
  /** What is to be done next. */
  sealed interface Next {}

  /** Nothing can be handed out now. */
  record Nothing() implements Next {}

  /** Nobody with credit wants the message that was looked at; ask again. */
  record GoOn() implements Next {}

  /** This record is to be handed to this member; it waits here no more. */
  record Hand(Seat seat, LogRecord record, ReturnedMessages.Message message) implements Next {
    /** Whether it was handed out before. */
    boolean again() {
      return message.seen();
    }
  }

  /** The log must be read first. */
  record Read(ReadRequest request, Kind kind) implements Next {}

  /** What is read. */
  enum Kind {
    NEW,
    RETURNED,
    PASSED_OVER
  }

  /** A filter needs the beginning of a body that is not here. */
  record ReadFront(BodyRequest request) implements Next {}

  private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
  private static final Nothing NOTHING = new Nothing();
  private static final GoOn GO_ON = new GoOn();
  private static final byte[] NONE = new byte[0];
  private static final int FETCH_BYTES = 256 << 10;
  private static final int SCAN_LIMIT = 1000;

  private final LoopDelivery room;
  private final CommittedLog log;
  private final PositionTracker tracker;
  private final Seats seats;
  private final boolean keepsUnwanted;
  private final ReturnedMessages returned = new ReturnedMessages();
  private final PassedOver passed;
  private final ReadAhead ahead;

  /** Whose body {@link #front} begins; -1 for none. */
  private long frontOf = -1;

  private byte[] front = NONE;

  /**
   * @param keepsUnwanted what nobody wants stays for others; else it is done
   */
  Backlog(
      LoopDelivery room,
      CommittedLog log,
      PositionTracker tracker,
      Seats seats,
      boolean keepsUnwanted) {
    this.room = room;
    this.log = log;
    this.tracker = tracker;
    this.seats = seats;
    this.keepsUnwanted = keepsUnwanted;
    this.passed = new PassedOver(room.metrics().filterFailures);
    this.ahead = new ReadAhead(tracker.committed());
  }

  ReturnedMessages returned() {
    return returned;
  }

  void join(Seat seat) {
    passed.join(seat);
  }

  void leave(Seat seat) {
    passed.leave(seat);
  }

  /** What to do now that some member has credit. */
  Next next() {
    Next next = nextReturned();
    if (next == NOTHING && !passed.isEmpty()) {
      next = nextPassed();
    }
    return next == NOTHING ? nextNew() : next;
  }

  private Next nextReturned() {
    int scanned = 0;
    for (Map.Entry<Long, ReturnedMessages.Message> entry : returned.waiting().entrySet()) {
      if (seats.canTake(entry.getValue().excluded())) {
        long offset = entry.getKey();
        Optional<LogRecord> record = returned.record(offset);
        return record.isPresent()
            ? offer(record.get(), entry.getValue(), Kind.RETURNED)
            : new Read(new ReadRequest(offset, FETCH_BYTES), Kind.RETURNED);
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
      return more ? new Read(new ReadRequest(ahead.cursor(), room.readBytes()), Kind.NEW) : NOTHING;
    }
    if (!tracker.hasRoomFor(first.get().offset())) {
      return NOTHING;
    }
    return offer(first.get(), ReturnedMessages.Message.NEW, Kind.NEW);
  }

  /** To the member whose turn it is and that wants it, if there is one. */
  private Next offer(LogRecord record, ReturnedMessages.Message message, Kind from) {
    if (!passed.isFiltered()) {
      take(record, from);
      return new Hand(seats.next(message.excluded()).orElseThrow(), record, message);
    }
    Optional<BodyRequest> missing = missing(record);
    if (missing.isPresent()) {
      return new ReadFront(missing.get());
    }
    Candidate candidate = candidate(record);
    Optional<Seat> seat = seats.next(message.excluded(), candidate);
    if (seat.isPresent()) {
      take(record, from);
      return new Hand(seat.get(), record, message);
    }
    if (!keepsUnwanted) {
      take(record, from);
      returned.forget(message);
      tracker.done(record.offset());
      room.metrics().unwanted.mark();
      return GO_ON;
    }
    if (from == Kind.NEW && !passed.hasRoom()) {
      return NOTHING;
    }
    take(record, from);
    passed.add(candidate, message);
    return GO_ON;
  }

  private void take(LogRecord record, Kind from) {
    switch (from) {
      case NEW -> ahead.removeFirst();
      case RETURNED -> returned.remove(record.offset());
      case PASSED_OVER -> passed.remove(record.offset());
      default -> {}
    }
    if (frontOf >= 0) {
      forgetFront();
    }
  }

  private Candidate candidate(LogRecord record) {
    long offset = record.offset();
    byte[] begins = offset == frontOf ? front : NONE;
    return new Candidate(record, log.partition(), tracker.attempts(offset), begins);
  }

  private Optional<BodyRequest> missing(LogRecord record) {
    if (record.isWhole() || record.offset() == frontOf || record.bodyLength() == 0) {
      return Optional.empty();
    }
    int bytes = Math.min(Candidate.FRONT_BYTES, record.bodyLength());
    return Optional.of(new BodyRequest(record.offset(), 0, bytes));
  }

  // --- passed over

  private Next nextPassed() {
    passed.below(log.logStart()).forEach(this::onGone);
    for (Lane lane : passed.lanes()) {
      OptionalLong unseen = passed.unseen(lane);
      if ((unseen.isPresent() || !passed.wantedBy(lane).isEmpty()) && seats.haveCredit(lane)) {
        Next next = nextPassed(lane, unseen.orElse(Long.MAX_VALUE));
        if (next != NOTHING) {
          return next;
        }
      }
    }
    return NOTHING;
  }

  private Next nextPassed(Lane lane, long unseen) {
    int scanned = 0;
    for (long offset : passed.wantedBy(lane)) {
      if (offset > unseen || ++scanned > SCAN_LIMIT) {
        break;
      }
      Optional<Seat> seat = seats.next(passed.message(offset).excluded(), lane);
      if (seat.isPresent()) {
        return handPassed(seat.get(), offset);
      }
    }
    return unseen == Long.MAX_VALUE ? NOTHING : look(lane, unseen);
  }

  private Next handPassed(Seat seat, long offset) {
    Optional<LogRecord> record = passed.record(offset);
    if (record.isEmpty()) {
      return new Read(new ReadRequest(offset, FETCH_BYTES), Kind.PASSED_OVER);
    }
    ReturnedMessages.Message message = passed.message(offset);
    take(record.get(), Kind.PASSED_OVER);
    return new Hand(seat, record.get(), message);
  }

  private Next look(Lane lane, long offset) {
    Optional<LogRecord> record = passed.record(offset);
    if (record.isEmpty()) {
      return new Read(new ReadRequest(offset, FETCH_BYTES), Kind.PASSED_OVER);
    }
    Optional<BodyRequest> missing = missing(record.get());
    if (missing.isPresent()) {
      return new ReadFront(missing.get());
    }
    lane.seen(offset, lane.wants(candidate(record.get())));
    return GO_ON;
  }

  // --- what was read

  /**
   * What was asked for with a {@link Read} is here.
   *
   * @return false when it brought nothing at all
   */
  boolean onRead(Read read, ReadSlice slice) {
    long offset = read.request().offset();
    return switch (read.kind()) {
      case NEW -> onReadAhead(slice);
      case RETURNED -> {
        returned.onFetched(slice.batches());
        boolean waits = returned.waiting().containsKey(offset);
        yield !waits || returned.record(offset).isPresent() || isGone(offset, slice);
      }
      case PASSED_OVER -> {
        passed.onFetched(slice.batches());
        boolean waits = passed.contains(offset);
        yield !waits || passed.record(offset).isPresent() || isGone(offset, slice);
      }
    };
  }

  void onFront(BodyRequest request, byte[] bytes) {
    frontOf = request.offset();
    front = bytes;
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

  /** A message that is gone needs no delivery. False when it may only not be readable yet. */
  private boolean isGone(long offset, ReadSlice slice) {
    if (slice.batches().isEmpty() && slice.logStart() <= offset) {
      return false;
    }
    onGone(offset);
    return true;
  }

  private void onGone(long offset) {
    room.metrics().gaps.mark();
    returned.forget(returned.waiting().getOrDefault(offset, passed.message(offset)));
    returned.remove(offset);
    passed.remove(offset);
    tracker.done(offset);
  }

  // --- what is left

  /** True when it holds or may hold a message for this member. */
  boolean hasWorkFor(Seat seat) {
    if (returned.hasWaitingFor(seat, SCAN_LIMIT) || passed.mayHave(seat, SCAN_LIMIT)) {
      return true;
    }
    Optional<LogRecord> first = ahead.peek();
    long next = first.map(LogRecord::offset).orElseGet(ahead::cursor);
    if (next >= log.highWatermark() || !tracker.hasRoomFor(next)) {
      return false;
    }
    // What was looked at and cannot be passed over blocks all that do not want it.
    return first.isEmpty()
        || !passed.isFiltered()
        || passed.hasRoom()
        || missing(first.get()).isPresent()
        || seat.lane().wants(candidate(first.get()));
  }

  /** True when everything below an offset was offered to this member. */
  boolean isPast(Seat seat, long offset) {
    return ahead.peek().map(LogRecord::offset).orElseGet(ahead::cursor) >= offset
        && !returned.hasWaitingFor(seat, SCAN_LIMIT)
        && !passed.mayHave(seat, SCAN_LIMIT);
  }

  /** The last member left: nothing is held ready. */
  void onAbandoned() {
    ahead.drop();
    returned.onAbandoned();
    passed.onAbandoned();
    forgetFront();
  }

  private void forgetFront() {
    front = NONE;
    frontOf = -1;
  }
}
