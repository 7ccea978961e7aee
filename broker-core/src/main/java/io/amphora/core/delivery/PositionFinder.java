package io.amphora.core.delivery;

import io.amphora.core.PositionStore.PositionLookup;
import io.amphora.core.Reply;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.position.LostTail;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.wal.EpochStart;
import io.amphora.wal.FlushPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where a group stands on a partition. Owned by the partition loop. Unknown is never taken
 * for absent (safety rule 17): it asks again. A position that is new is journaled before anybody
 * gets a message, so that a group that starts at the end stays there when its members come back.
 */
final class PositionFinder {
  private static final Logger LOG = LoggerFactory.getLogger(PositionFinder.class);
  private static final long FIRST_RETRY_NANOS = 20_000_000L;
  private static final long LAST_RETRY_NANOS = 1_000_000_000L;

  private final LoopDelivery room;
  private final CommittedLog log;
  private final GroupInfo group;
  private final PositionKey key;
  private final FlushPolicy flush;
  private long retryNanos = FIRST_RETRY_NANOS;
  private boolean cancelled;

  PositionFinder(
      LoopDelivery room, CommittedLog log, GroupInfo group, PositionKey key, FlushPolicy flush) {
    this.room = room;
    this.log = log;
    this.group = group;
    this.key = key;
    this.flush = flush;
  }

  void cancel() {
    cancelled = true;
  }

  /**
   * @param start used when there is no position
   * @param done called once, on the loop, unless cancelled
   */
  void find(StartPosition start, Consumer<Position> done) {
    if (group.isEphemeral()) {
      findOwn(start, done);
      return;
    }
    room.positions()
        .lookup(
            key,
            room.loop(),
            found -> {
              if (!cancelled) {
                onFound(found, start, done);
              }
            });
  }

  /** A reader: nothing is written down. */
  private void findOwn(StartPosition start, Consumer<Position> done) {
    Optional<GroupInfo> other =
        start instanceof StartPosition.AsGroup as ? room.group(as.group()) : Optional.empty();
    if (other.isPresent()) {
      findAs(other.get().id(), start, done);
    } else {
      resolve(start, offset -> done.accept(Position.at(offset)));
    }
  }

  /** What is being dispatched is newer than what is journaled. */
  private void findAs(UUID other, StartPosition start, Consumer<Position> done) {
    Optional<Position> live =
        room.partition(key.topicId(), key.partition()).flatMap(led -> led.position(other));
    if (live.isPresent()) {
      done.accept(live.get());
      return;
    }
    room.positions()
        .lookup(
            new PositionKey(other, key.topicId(), key.partition()),
            room.loop(),
            found -> {
              if (cancelled) {
                return;
              }
              if (found instanceof PositionLookup.Value value) {
                done.accept(value.position());
              } else if (found instanceof PositionLookup.Missing) {
                done.accept(Position.at(log.logStart()));
              } else {
                later(() -> findOwn(start, done));
              }
            });
  }

  private void onFound(PositionLookup found, StartPosition start, Consumer<Position> done) {
    if (found instanceof PositionLookup.Value value) {
      onKnown(value.position(), done);
    } else if (found instanceof PositionLookup.Missing) {
      boolean atEnd = group.startAtLatest() && start instanceof StartPosition.Earliest;
      resolve(
          atEnd ? StartPosition.LATEST : start,
          offset -> journal(begin(Position.at(offset)), done));
    } else {
      LOG.debug("{}: position of {} unknown, asking again", group.name(), key);
      later(() -> find(start, done));
    }
  }

  /** Nothing that was committed can be lost under flush policy {@code commit}. */
  private void onKnown(Position known, Consumer<Position> done) {
    Position now = flush == FlushPolicy.COMMIT ? known : LostTail.clip(known, log.epochs());
    if (now.committed() < known.committed()) {
      LOG.warn(
          "{}: records of {} were lost in a crash, group {} goes back from {} to {}",
          log.topic(),
          key,
          group.name(),
          known.committed(),
          now.committed());
    }
    if (now.equals(known)) {
      done.accept(known);
    } else {
      journal(now, done);
    }
  }

  private Position begin(Position fresh) {
    return flush == FlushPolicy.COMMIT ? fresh : LostTail.begin(fresh, log.epoch());
  }

  private void resolve(StartPosition start, Consumer<Long> done) {
    if (start instanceof StartPosition.Latest) {
      done.accept(log.highWatermark());
    } else if (start instanceof StartPosition.Last) {
      done.accept(lastMessage());
    } else if (start instanceof StartPosition.AtOffset at) {
      done.accept(Math.max(at.offset(), log.logStart()));
    } else if (start instanceof StartPosition.AtTime at) {
      log.offsetForTime(at.millis(), reply -> onTime(reply, start, done));
    } else {
      done.accept(log.logStart());
    }
  }

  /** Epoch starts hold no message; at the end of the log several may follow each other. */
  private long lastMessage() {
    Set<Long> starts = log.epochs().stream().map(EpochStart::offset).collect(Collectors.toSet());
    long last = log.highWatermark() - 1;
    while (last > log.logStart() && starts.contains(last)) {
      last--;
    }
    return Math.max(last, log.logStart());
  }

  private void onTime(Reply<Long> reply, StartPosition start, Consumer<Long> done) {
    if (cancelled) {
      return;
    }
    if (reply instanceof Reply.Ok<Long> ok) {
      done.accept(ok.value());
    } else {
      later(() -> resolve(start, done));
    }
  }

  private void journal(Position position, Consumer<Position> done) {
    room.positions()
        .submit(
            Map.of(key, position),
            room.loop(),
            ok -> {
              if (cancelled) {
                return;
              }
              if (ok) {
                done.accept(position);
              } else {
                later(() -> journal(position, done));
              }
            });
  }

  private void later(Runnable again) {
    long delay = retryNanos;
    retryNanos = Math.min(LAST_RETRY_NANOS, retryNanos * 2);
    room.loop()
        .schedule(
            delay,
            () -> {
              if (!cancelled) {
                again.run();
              }
            });
  }
}
