package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.Loop;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.position.JournalWaiters;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.PositionRounds;
import io.amphora.core.position.PositionTracker;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One group on one partition, from its first member until its last has left and the position is
 * journaled. Owned by the partition loop. States: finding the position (members wait), dispatching,
 * failed (members are refused with the reason), stopped.
 */
final class GroupDelivery implements Dispatcher.Owner, PositionRounds.Source {
  private static final Logger LOG = LoggerFactory.getLogger(GroupDelivery.class);

  private final LoopDelivery room;
  private final CommittedLog log;
  private final TopicInfo topic;
  private final GroupInfo group;
  private final Consumer<GroupDelivery> forget;
  private final PositionKey key;
  private final List<Seat> waiting = new ArrayList<>();
  private Optional<PositionFinder> finder = Optional.empty();
  private final JournalWaiters waiters = new JournalWaiters();
  private Optional<PositionTracker> tracker = Optional.empty();
  private Optional<Dispatcher> dispatcher = Optional.empty();
  private Optional<BrokerException> failure = Optional.empty();
  private boolean stopped;

  GroupDelivery(
      LoopDelivery room,
      CommittedLog log,
      TopicInfo topic,
      GroupInfo group,
      Consumer<GroupDelivery> forget) {
    this.room = room;
    this.log = log;
    this.topic = topic;
    this.group = group;
    this.forget = forget;
    this.key = new PositionKey(group.id(), log.topicId(), log.partition());
  }

  @Override
  public PositionKey key() {
    return key;
  }

  Loop loop() {
    return room.loop();
  }

  /** True when members get credit for several partitions. */
  boolean isSplit() {
    return topic.partitions().size() > 1;
  }

  void attach(LinkMember member) {
    if (failure.isPresent()) {
      member.refuse(failure.get());
      return;
    }
    Seat seat = new Seat(member, this, log.partition());
    if (dispatcher.isPresent()) {
      dispatcher.get().attach(seat);
      return;
    }
    waiting.add(seat);
    if (finder.isEmpty()) {
      PositionFinder search = new PositionFinder(room, log, group, key, topic.config().flush());
      finder = Optional.of(search);
      search.find(member.request().start(), this::onPosition);
    }
  }

  private void onPosition(Position position) {
    finder = Optional.empty();
    LOG.info(
        "{}-{}: group {} continues at {}",
        log.topic(),
        log.partition(),
        group.name(),
        position.committed());
    PositionTracker where = new PositionTracker(position, room.options().ackWindow());
    tracker = Optional.of(where);
    Dispatcher started =
        new Dispatcher(
            room, log, where, new Redelivery(group.mode(), topic.config().maxAttempts()), this);
    dispatcher = Optional.of(started);
    List<Seat> first = List.copyOf(waiting);
    waiting.clear();
    first.forEach(started::attach);
    forgetIfIdle();
  }

  void detach(LinkMember member) {
    waiting.removeIf(seat -> seat.member().equals(member));
    dispatcher.ifPresent(
        active ->
            active.seats().stream()
                .filter(seat -> seat.member().equals(member))
                .forEach(active::detach));
    if (room.rounds().isPending(this)) {
      room.rounds().flushSoon();
    } else {
      forgetIfIdle();
    }
  }

  /**
   * An idle group costs no memory: its position is in the journal. One that failed tries again with
   * its next member: somebody may have repaired the partition.
   */
  private void forgetIfIdle() {
    boolean done = failure.isPresent() || dispatcher.map(Dispatcher::isIdle).orElse(false);
    boolean over = isEphemeral() || (!room.rounds().isPending(this) && done);
    if (!stopped && over && isEmpty()) {
      end();
      forget.accept(this);
    }
  }

  private boolean isEmpty() {
    return waiting.isEmpty() && dispatcher.map(active -> active.seats().isEmpty()).orElse(true);
  }

  /** An ephemeral group lives as long as its members and has no journaled position. */
  private boolean isEphemeral() {
    return group.isEphemeral();
  }

  // --- from seats

  void onGrant(Seat seat, int more) {
    dispatcher.ifPresent(active -> active.grant(seat, more));
  }

  void onRevoke(Seat seat, int most) {
    dispatcher.ifPresent(active -> active.revoke(seat, most));
  }

  void onRecall(Seat seat, int most) {
    dispatcher.ifPresent(active -> active.recall(seat, most));
  }

  void onDrain(Seat seat, int more) {
    dispatcher.ifPresent(active -> active.drain(seat, more));
  }

  void onSettle(Seat seat, List<Settlement> settlements) {
    dispatcher.ifPresent(active -> active.settle(seat, settlements));
  }

  /**
   * Settles, and calls back when the effect outlives a crash (safety rule 17). What was released
   * changes no position, and an ephemeral group has none that stays: they are answered as soon as
   * they are applied. What was not in flight here any more is never answered: its fate is unknown.
   */
  void onSettle(Seat seat, List<Settlement> settlements, Runnable durable) {
    boolean applied = dispatcher.map(active -> active.settle(seat, settlements)).orElse(false);
    if (!applied || stopped || failure.isPresent()) {
      return;
    }
    if (isEphemeral() || settlements.stream().allMatch(GroupDelivery::isReleased)) {
      durable.run();
    } else {
      waiters.await(tracker.orElseThrow().version(), durable);
      if (isAwaited()) {
        room.rounds().onAwaited();
      }
    }
  }

  /** Keeps deliveries for a transaction. */
  Claim onClaim(Seat seat, List<Settlement> settlements, boolean settled) {
    return dispatcher
        .filter(active -> !stopped && failure.isEmpty())
        .<Claim>map(active -> new Part(active.claim(seat, settlements, settled)))
        .orElse(ClaimParts.NOTHING);
  }

  /** What a transaction has of this group and partition. Immutable; any loop. */
  private final class Part implements Claim {
    private final Settler.Claimable claimed;

    Part(Settler.Claimable claimed) {
      this.claimed = claimed;
    }

    @Override
    public boolean isWhole() {
      return claimed.whole();
    }

    /** An ephemeral group has no position that stays. */
    @Override
    public Map<PositionKey, Position> changes() {
      return isEphemeral()
          ? Map.of()
          : claimed.change().map(position -> Map.of(key, position)).orElse(Map.of());
    }

    @Override
    public void end(End how) {
      loop().execute(() -> onClaimEnded(claimed.offsets(), how));
    }
  }

  private void onClaimEnded(List<Long> offsets, Claim.End how) {
    if (!stopped) {
      dispatcher.ifPresent(active -> active.endClaim(offsets, how));
      forgetIfIdle();
    }
  }

  private static boolean isReleased(Settlement settlement) {
    return settlement.outcome() instanceof Outcome.Released;
  }

  void onProgress() {
    dispatcher.ifPresent(Dispatcher::pump);
  }

  // --- position

  @Override
  public void onPositionChanged() {
    if (!isEphemeral() && !stopped) {
      room.rounds().markDirty(this);
    }
  }

  /** What to journal; empty when leadership is over (nothing is journaled under its epoch then). */
  Optional<Position> position() {
    return stopped ? Optional.empty() : dispatcher.map(Dispatcher::position);
  }

  @Override
  public Optional<Position> toJournal() {
    tracker.ifPresent(now -> waiters.onRound(now.version()));
    return position();
  }

  @Override
  public boolean isAwaited() {
    return !waiters.isEmpty();
  }

  @Override
  public void onJournaled(boolean ok) {
    if (!ok) {
      onPositionChanged();
    } else {
      waiters.onJournaled();
      forgetIfIdle();
    }
  }

  // --- end

  @Override
  public void onCorrupt(BrokerException reason) {
    LOG.error(
        "group {}: {}. Its members are detached; repair or truncate the partition.",
        group.name(),
        reason.getMessage());
    failure = Optional.of(reason);
    detachAll(reason);
  }

  /** Leadership is over. */
  void stop(BrokerException reason) {
    detachAll(reason);
    end();
  }

  /** The node stops: members are told by their registry; unsettled messages go back. */
  void close() {
    finder.ifPresent(PositionFinder::cancel);
    waiting.clear();
    dispatcher.ifPresent(active -> active.seats().forEach(active::detach));
  }

  private void detachAll(BrokerException reason) {
    List<Seat> members = new ArrayList<>(waiting);
    waiting.clear();
    dispatcher.ifPresent(active -> members.addAll(active.seats()));
    dispatcher.ifPresent(Dispatcher::stop);
    members.forEach(seat -> seat.member().refuse(reason));
  }

  private void end() {
    stopped = true;
    waiters.forget();
    finder.ifPresent(PositionFinder::cancel);
    dispatcher.ifPresent(Dispatcher::stop);
  }
}
