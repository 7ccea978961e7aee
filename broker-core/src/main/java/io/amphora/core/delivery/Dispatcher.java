package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionTracker;
import io.amphora.wal.LogRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the records of one partition to the members of one group, as far as their grants go, in the
 * order that the {@link Backlog} says. Owned by the partition loop. It holds the offsets of what is
 * in flight, never the records: what comes back is read again.
 */
final class Dispatcher {
  /** Who keeps the dispatcher. */
  interface Owner {
    /** The position moved: journal it soon. */
    void onPositionChanged();

    /** Stored bytes are damaged: nothing more can be delivered. */
    void onCorrupt(BrokerException reason);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final int TURN_MESSAGES = 256;
  private static final long TURN_BYTES = 1 << 20;
  private static final long RETRY_NANOS = 50_000_000L;

  /** How long a message waits for a member that may have it before it is parked. */
  static final long HOLD_NANOS = 30_000_000_000L;

  private final LoopDelivery room;
  private final CommittedLog log;
  private final PositionTracker tracker;
  private final Settler settler;
  private final Owner owner;
  private final Seats seats = new Seats();
  private final ReturnedMessages returned = new ReturnedMessages();
  private final Backlog backlog;
  private final List<Seat> touched = new ArrayList<>();

  /** Members that wait for the answer to a drain or a recall. */
  private final Set<Seat> calling = new LinkedHashSet<>();

  private int handed;
  private int redelivered;
  private int taken;
  private long seenVersion;
  private boolean pumping;
  private boolean continues;
  private boolean reading;
  private boolean readFailed;
  private boolean holdTimer;
  private boolean stopped;

  Dispatcher(
      LoopDelivery room,
      CommittedLog log,
      PositionTracker tracker,
      Redelivery redelivery,
      Owner owner) {
    this.room = room;
    this.log = log;
    this.tracker = tracker;
    this.settler = new Settler(room, tracker, redelivery, returned, seats);
    this.owner = owner;
    this.backlog = new Backlog(room, log, tracker, seats, returned);
  }

  // --- members

  void attach(Seat seat) {
    seats.add(seat);
    returned.releaseHeld();
    seat.sendAttached();
    pump();
  }

  /** Its unsettled messages go back, uncounted (docs/amqp.md section 4). */
  void detach(Seat seat) {
    if (!seats.remove(seat)) {
      return;
    }
    calling.remove(seat);
    seat.held().forEach(returned::add);
    room.metrics().inFlight.dec(seat.held().size());
    seat.held().clear();
    if (seats.isEmpty()) {
      backlog.onAbandoned();
    } else {
      returned.holdUnwanted(seats, room.loop().nowNanos() + HOLD_NANOS);
      watchHeld();
    }
    pump();
  }

  void grant(Seat seat, int more) {
    if (seats.contains(seat)) {
      seat.addGrant(more);
      seats.onGrant(seat);
      pump();
    }
  }

  void revoke(Seat seat, int most) {
    if (seats.contains(seat)) {
      seat.sendReturned(most, seat.takeGrant(most));
      pump();
    }
  }

  /** Like a revoke, but a grant is given the chance to be used first: a read may be on its way. */
  void recall(Seat seat, int most) {
    if (seats.contains(seat)) {
      seat.recalled += most;
      calling.add(seat);
      pump();
    }
  }

  void drain(Seat seat, int more) {
    if (seats.contains(seat)) {
      seat.addGrant(more);
      seats.onGrant(seat);
      seat.draining = true;
      calling.add(seat);
      pump();
    }
  }

  /** False when some of it was not in flight to this member. */
  boolean settle(Seat seat, List<Settlement> settlements) {
    boolean all = settler.settle(seat, settlements);
    watchHeld();
    pump();
    return all;
  }

  /** Keeps deliveries for a transaction; they are still in flight. */
  Settler.Claimable claim(Seat seat, List<Settlement> settlements, boolean settled) {
    return settler.claim(seat, settlements, settled);
  }

  /** The transaction that claimed these is over. */
  void endClaim(List<Long> offsets, Claim.End how) {
    settler.end(offsets, how);
    watchHeld();
    pump();
  }

  private void watchHeld() {
    if (!holdTimer && returned.holdsBack()) {
      holdTimer = true;
      room.loop()
          .schedule(
              HOLD_NANOS,
              () -> {
                holdTimer = false;
                if (!stopped) {
                  returned.takeExpired(room.loop().nowNanos()).forEach(settler::park);
                  watchHeld();
                  pump();
                }
              });
    }
  }

  // --- dispatch

  /** Hands out what can be handed out, a bounded amount per turn of the loop. */
  void pump() {
    if (pumping || stopped) {
      return;
    }
    pumping = true;
    int messages = 0;
    long bytes = 0;
    while (messages < TURN_MESSAGES && bytes < TURN_BYTES) {
      long size = step();
      if (size < 0) {
        break;
      }
      bytes += size;
      messages++;
    }
    touched.forEach(Seat::sendOutbox);
    touched.clear();
    room.metrics().onTurn(handed, redelivered, taken - settler.takeFinished());
    handed = 0;
    redelivered = 0;
    taken = 0;
    pumping = false;
    if (stopped) {
      return;
    }
    if (messages >= TURN_MESSAGES || bytes >= TURN_BYTES) {
      continueLater();
    } else if (!reading || readFailed) {
      answerMembers();
    }
    noteChange();
  }

  private void continueLater() {
    if (!continues) {
      continues = true;
      room.loop()
          .execute(
              () -> {
                continues = false;
                pump();
              });
    }
  }

  private void noteChange() {
    if (tracker.version() != seenVersion) {
      seenVersion = tracker.version();
      owner.onPositionChanged();
    }
  }

  /**
   * One message or one read; returns its size in bytes, or -1 when nothing more can be done now.
   */
  private long step() {
    if (stopped || reading || !seats.haveCredit()) {
      return -1;
    }
    Backlog.Next next = backlog.next();
    if (next instanceof Backlog.Hand hand) {
      redelivered += hand.again() ? 1 : 0;
      return hand(hand.seat(), hand.record(), hand.message());
    }
    return next instanceof Backlog.Read read ? read(read) : -1;
  }

  private long hand(Seat seat, LogRecord record, ReturnedMessages.Message message) {
    int attempts = tracker.attempts(record.offset());
    boolean first = attempts == 0 && !message.seen();
    if (seat.put(new Delivery(log.partition(), record, attempts, first, message.annotations()))) {
      touched.add(seat);
    }
    if (seat.atMostOnce()) {
      returned.forget(message);
      tracker.done(record.offset());
    } else {
      seat.held().put(record.offset(), message.handed());
      taken++;
    }
    handed++;
    return record.heldSize();
  }

  // --- reading

  private long read(Backlog.Read read) {
    reading = true;
    log.read(read.request(), reply -> onRead(read, reply));
    return reading ? -1 : 0;
  }

  private void onRead(Backlog.Read read, Reply<ReadSlice> reply) {
    if (stopped) {
      return;
    }
    reading = false;
    readFailed = false;
    if (reply instanceof Reply.Failed<ReadSlice> failed) {
      onReadFailed(read.request(), failed.error());
      return;
    }
    if (!backlog.onRead(read, reply.orThrow())) {
      retryLater();
    }
    pump();
  }

  private void onReadFailed(ReadRequest request, BrokerException error) {
    if (error.code() == ErrorCode.CORRUPT) {
      // Skipping would lose a message silently: the group stops here until somebody decides.
      owner.onCorrupt(
          new BrokerException(
              ErrorCode.CORRUPT,
              "%s-%d cannot be read at offset %d: %s"
                  .formatted(log.topic(), log.partition(), request.offset(), error.getMessage())));
      return;
    }
    LOG.debug(
        "{}-{}: read at {} failed, will be repeated: {}",
        log.topic(),
        log.partition(),
        request.offset(),
        error.getMessage());
    retryLater();
    pump();
  }

  private void retryLater() {
    reading = true;
    readFailed = true;
    room.loop()
        .schedule(
            RETRY_NANOS,
            () -> {
              reading = false;
              readFailed = false;
              pump();
            });
  }

  // --- answers

  /**
   * Nothing more can be handed out now: answers drains, and tells members without grant of work.
   */
  private void answerMembers() {
    for (Seat seat : calling) {
      if (seat.recalled > 0) {
        int asked = seat.recalled;
        seat.recalled = 0;
        seat.sendReturned(asked, seat.takeGrant(asked));
      }
      if (seat.draining) {
        seat.draining = false;
        boolean more = seat.grant() == 0 && hasWorkFor(seat);
        seat.sendDrained(seat.takeGrant(Integer.MAX_VALUE), more);
      }
    }
    calling.clear();
    for (Seat seat : seats.split()) {
      if (seat.grant() == 0 && !seat.readySent && hasWorkFor(seat)) {
        seat.sendReady();
      }
    }
  }

  /** While reads fail nothing can be promised: members are told when one succeeds. */
  private boolean hasWorkFor(Seat seat) {
    return !readFailed && backlog.hasWorkFor(seat);
  }

  // --- life

  Position position() {
    return tracker.snapshot();
  }

  List<Seat> seats() {
    return seats.all();
  }

  /** True when nothing would be lost by forgetting it, but the position. */
  boolean isIdle() {
    return seats.isEmpty() && returned.isEmpty() && !settler.hasClaims();
  }

  /** Nothing is handed out any more. */
  void stop() {
    stopped = true;
    settler.stop();
    for (Seat seat : seats.all()) {
      room.metrics().inFlight.dec(seat.held().size());
      seat.held().clear();
    }
  }
}
