package io.amphora.core.partition;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.replication.Promise;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogListener;
import io.amphora.wal.LogState;
import io.amphora.wal.OpenedLog;
import io.amphora.wal.WalException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition on this broker, and the only class that switches its role. Owned by its loop: every
 * method is called there.
 *
 * <pre>
 * from     event                                   to       what else happens
 * Closed   onOpened                                Closed   the log is there; can promise and lead
 * Closed   onLead(e), log end >= answered end      Leader   epoch start is appended
 * Leader   epoch start committed                   Leader   the dispatcher is told, readers are served
 * Leader   onPromise(e' > e)                       Closed   pending appends are in doubt (rule 5)
 * Leader   log fails                               Closed   in doubt; the node is stopped by FaultHandler
 * Leader   onDrain                                 Leader   refuses what is new, answers what is pending
 * Leader   onStop                                  Closed   the dispatcher is told
 * any      onDelete                                Closed   in doubt; nothing is answered by it again
 * </pre>
 */
public final class Partition implements LogListener {

  private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

  /** Longest wait for pending appends at a stop. */
  private static final long DRAIN_NANOS = 5_000_000_000L;

  private final PartitionSetup setup;
  private final LoopResources resources;
  private final LeadershipListener dispatcher;
  private final PartitionEvents events;
  private Role role;
  private Optional<OpenLog> open = Optional.empty();

  public Partition(
      PartitionSetup setup,
      LoopResources resources,
      LeadershipListener dispatcher,
      PartitionEvents events) {
    this.setup = setup;
    this.resources = resources;
    this.dispatcher = dispatcher;
    this.events = events;
    this.role = closed(ErrorCode.NOT_LEADER, setup + " has no leader yet");
  }

  public PartitionSetup setup() {
    return setup;
  }

  private static Role.Closed closed(ErrorCode code, String message) {
    return new Role.Closed(new BrokerException(code, message));
  }

  /**
   * Its log is open.
   *
   * @param lastTimestamp append time of the last record, 0 when there is none
   */
  public void onOpened(OpenedLog opened, long lastTimestamp) {
    open = Optional.of(new OpenLog(opened.log(), opened.state(), lastTimestamp));
  }

  /**
   * Stops older work and says how far the log is; the promise itself is made durable by the caller
   * before it is answered (safety rule 5).
   */
  public Reply<Promise.Granted> onPromise(Promise.Request request) {
    if (open.isEmpty()) {
      return new Reply.Failed<>(reason());
    }
    if (role instanceof Leader leader && leader.epoch() < request.epoch()) {
      stopLeading(leader, new BrokerException(ErrorCode.NOT_LEADER, "a new epoch begins"));
    }
    OpenLog log = open.get();
    LogState state = log.state;
    if (state.writtenEnd() != log.appendedEnd || state.durableEnd() < durableGoal(log)) {
      return Reply.failed(ErrorCode.NOT_LEADER, setup + " still writes what an older epoch left");
    }
    return Reply.ok(
        new Promise.Granted(
            setup.self(), state.lastEpoch(), state.durableEnd(), true, setup.config()));
  }

  /** Under other policies than commit nothing says when the end is forced. */
  private long durableGoal(OpenLog log) {
    return setup.topic().config().flush() == FlushPolicy.COMMIT ? log.appendedEnd : 0;
  }

  /**
   * Leads; {@code led = epoch} is durable (safety rule 4).
   *
   * @param answeredEnd durable end of the promise that won; with less it refuses (safety rule 5)
   */
  public Reply<Integer> onLead(int epoch, long answeredEnd) {
    if (open.isEmpty() || role instanceof Leader) {
      return Reply.failed(ErrorCode.NOT_LEADER, setup + " cannot begin to lead");
    }
    OpenLog log = open.get();
    if (log.state.writtenEnd() < answeredEnd) {
      return Reply.failed(ErrorCode.CORRUPT, setup + " has lost records since it promised");
    }
    Leader leader = new Leader(setup, resources, log, epoch, this::onEpochStarted);
    role = leader;
    leader.begin();
    return Reply.ok(epoch);
  }

  private void onEpochStarted() {
    if (role instanceof Leader leader) {
      LOG.debug("{}: leads epoch {} from offset {}", setup, leader.epoch(), leader.highWatermark());
      resources.metrics().partitionsLed.inc();
      resources.metrics().leaderChanges.inc();
      dispatcher.onLeading(new LeaderLog(setup, leader));
      events.onLeading(setup, leader.epoch());
    }
  }

  /**
   * An append arrives.
   *
   * @param reserved whether its bytes are taken from the append budget
   */
  void onAppend(AppendRequest request, boolean reserved) {
    if (role instanceof Leader leader) {
      leader.onAppend(request, reserved);
      return;
    }
    if (reserved) {
      resources.budget().release(AppendBudget.costOf(request.records()));
    }
    request.records().discard();
    resources.metrics().appendsRefused.inc();
    AppendResult refused = new AppendResult.Refused(reason());
    request.owner().execute(() -> request.done().accept(request, refused));
  }

  @Override
  public void onProgress(LogState state) {
    if (role instanceof Leader leader) {
      if (leader.onProgress(state) && leader.isOpen()) {
        dispatcher.onProgress();
      }
    } else {
      open.ifPresent(log -> log.state = state);
    }
  }

  @Override
  public void onRejected(long fromOffset, WalException error) {
    if (role instanceof Leader leader) {
      leader.onRejected(fromOffset, error);
    } else {
      open.ifPresent(log -> log.onRejected(fromOffset));
    }
  }

  @Override
  public void onFailure(WalException error) {
    BrokerException reason = WalErrors.toBroker("the log of " + setup + " failed", error);
    if (role instanceof Leader leader) {
      stopLeading(leader, reason);
    }
    role = new Role.Closed(reason);
    open = Optional.empty();
    if (error.kind() == WalException.Kind.CLOSED) {
      return;
    }
    LOG.error("{}: closed: {}", setup, error.getMessage());
    events.onBroken(setup, reason);
    resources
        .faults()
        .fatal(
            "The log of "
                + setup
                + " failed ("
                + error.getMessage()
                + "). Check the disk, then start the broker again: it recovers from what is on"
                + " disk.",
            error);
  }

  /** Refuses new appends and waits for the pending ones, at most 5 s; goes on leading. */
  public void onDrain(BrokerException reason, Runnable done) {
    if (!(role instanceof Leader leader)) {
      done.run();
      return;
    }
    leader.refuseNew(reason, done);
    resources.loop().schedule(DRAIN_NANOS, leader::stopWaiting);
  }

  /** Gives up leadership; what is still pending is in doubt. */
  public void onStop(BrokerException reason) {
    if (role instanceof Leader leader) {
      stopLeading(leader, reason);
    }
    role = new Role.Closed(reason);
  }

  /** The topic is deleted. */
  public void onDelete() {
    BrokerException reason =
        new BrokerException(
            ErrorCode.RESOURCE_DELETED, "topic " + setup.topic().name() + " was deleted");
    if (role instanceof Leader leader) {
      stopLeading(leader, reason);
    }
    role = new Role.Closed(reason);
    open = Optional.empty();
  }

  /** Time to apply retention. */
  public void onRetention(long nowMillis) {
    if (role instanceof Leader leader) {
      leader.onRetention(nowMillis);
    }
  }

  private void stopLeading(Leader leader, BrokerException reason) {
    boolean wasOpen = leader.isOpen();
    role = new Role.Closed(reason);
    leader.end(String.valueOf(reason.getMessage()));
    if (wasOpen) {
      resources.metrics().partitionsLed.dec();
      dispatcher.onStopped(reason);
    }
  }

  private BrokerException reason() {
    return role instanceof Role.Closed closed
        ? closed.reason()
        : new BrokerException(ErrorCode.NOT_LEADER, setup + " has not begun its epoch yet");
  }

  /** What readers see now, while the partition leads. */
  Reply<CommittedLog> committed() {
    return role instanceof Leader leader && leader.isOpen()
        ? Reply.ok(new LeaderLog(setup, leader))
        : new Reply.Failed<>(reason());
  }

  /** Where it stands. A leader whose epoch start is not committed yet shows as closed. */
  Reply<PartitionStatus> status() {
    if (open.isEmpty()) {
      return new Reply.Failed<>(reason());
    }
    OpenLog log = open.get();
    if (role instanceof Leader leader && leader.isOpen()) {
      return Reply.ok(
          new PartitionStatus(
              setup.number(),
              "leader",
              leader.epoch(),
              leader.highWatermark(),
              log.state,
              log.history.starts(),
              leader.pendingBytes()));
    }
    return Reply.ok(
        new PartitionStatus(
            setup.number(),
            "closed",
            log.history.lastEpoch(),
            log.state.logStart(),
            log.state,
            List.of(),
            0));
  }

  /** Runs on the committed log, or passes the reason on why there is none. */
  <T> void withCommitted(Consumer<CommittedLog> use, Consumer<Reply<T>> done) {
    Reply<CommittedLog> log = committed();
    if (log instanceof Reply.Ok<CommittedLog> ok) {
      use.accept(ok.value());
    } else {
      done.accept(new Reply.Failed<>(((Reply.Failed<CommittedLog>) log).error()));
    }
  }
}
