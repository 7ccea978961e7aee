package io.amphora.core.transaction;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.position.Positions;
import io.amphora.core.topology.TopicInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The led partition of {@code __transactions}: commits intents and applies them (safety rules 13
 * and 14). Owned by the loop of that partition.
 *
 * <p>An intent is one batch with all that a transaction does; its append being committed is the
 * commit of the transaction. Then its parts go into their partitions and its outcomes into the
 * positions, then a marker says so. What a crash leaves without a marker is applied by the next
 * start, before anything is delivered or committed.
 */
public final class TransactionLog implements LeadershipListener {
  /** The topic that keeps intents. */
  public static final String TOPIC = "__transactions";

  private static final Logger LOG = LoggerFactory.getLogger(TransactionLog.class);

  /** Bytes of intents after which the log gives up what it does not need. */
  private static final long TRUNCATE_BYTES = 8L << 20;

  private final TopicInfo topic;
  private final Loop loop;
  private final NodeServices services;
  private final Positions positions;
  private final TransactionMetrics metrics;
  private final OpenIntents open = new OpenIntents();
  private final Set<Commit> running = new HashSet<>();
  private Optional<Leading> leading = Optional.empty();
  private Optional<Consumer<Reply<Integer>>> recovering = Optional.empty();
  private Optional<BrokerException> unreadable = Optional.empty();
  private boolean loaded;
  private boolean recovered;
  private long bytes;

  /** What lives as long as the leadership. */
  private record Leading(CommittedLog log, IntentApply apply, AppliedMarkers markers) {}

  /** Somebody who waits for a commit; identity counts. */
  private static final class Commit {
    private final TransactionWork work;
    private final Consumer<CommitResult> answer;

    Commit(TransactionWork work, Consumer<CommitResult> answer) {
      this.work = work;
      this.answer = answer;
    }
  }

  /**
   * @param topic the topic {@code __transactions}
   * @param loop owner of its partition
   */
  TransactionLog(
      TopicInfo topic,
      Loop loop,
      NodeServices services,
      Positions positions,
      TransactionMetrics metrics) {
    this.topic = topic;
    this.loop = loop;
    this.services = services;
    this.positions = positions;
    this.metrics = metrics;
  }

  // --- leadership

  @Override
  public void onLeading(CommittedLog log) {
    IntentApply apply = new IntentApply(loop, services, positions, metrics);
    AppliedMarkers markers = new AppliedMarkers(loop, this::self, this::onMarker);
    leading = Optional.of(new Leading(log, apply, markers));
    new IntentReader(log, loop, open).load(this::onLoaded);
  }

  @Override
  public void onProgress() {}

  @Override
  public void onStopped(BrokerException reason) {
    leading.ifPresent(
        now -> {
          now.apply.stop();
          now.markers.stop();
        });
    leading = Optional.empty();
    loaded = false;
    recovered = false;
    open.clear();
    List<Commit> waiting = List.copyOf(running);
    waiting.forEach(commit -> unknown(commit, String.valueOf(reason.getMessage())));
  }

  private Optional<PartitionRef> self() {
    return services.partition(topic, 0);
  }

  // --- recovery

  private void onLoaded(Reply<Integer> reply) {
    if (leading.isEmpty()) {
      return;
    }
    loaded = reply instanceof Reply.Ok<Integer>;
    unreadable =
        reply instanceof Reply.Failed<Integer> failed
            ? Optional.of(failed.error())
            : Optional.empty();
    recovering.ifPresent(this::recover);
  }

  /**
   * Applies what a crash left, oldest first.
   *
   * @param done called once on the loop, with how many there were; fails when the log cannot be
   *     read: then nothing may be delivered
   */
  void recover(Consumer<Reply<Integer>> done) {
    if (unreadable.isPresent()) {
      done.accept(new Reply.Failed<>(unreadable.get()));
    } else if (!loaded) {
      recovering = Optional.of(done);
    } else {
      recovering = Optional.empty();
      List<Long> left = open.offsets();
      recoverNext(new ArrayList<>(left), left.size(), done);
    }
  }

  private void recoverNext(List<Long> left, int all, Consumer<Reply<Integer>> done) {
    if (leading.isEmpty()) {
      return;
    }
    if (left.isEmpty()) {
      recovered = true;
      if (all > 0) {
        LOG.info("{} transactions that were committed before the start are applied", all);
        metrics.recovered.mark(all);
      }
      done.accept(Reply.ok(all));
      return;
    }
    Leading now = leading.get();
    long offset = left.remove(0);
    new IntentReader(now.log, loop, open)
        .read(
            offset,
            reply -> {
              if (reply instanceof Reply.Failed<Intent> failed) {
                done.accept(new Reply.Failed<>(failed.error()));
                return;
              }
              IntentApply.At at = new IntentApply.At(open.epochOf(offset), offset, true);
              now.apply.apply(
                  reply.orThrow(),
                  at,
                  () -> {
                    now.markers.add(offset);
                    recoverNext(left, all, done);
                  });
            });
  }

  // --- commit

  /**
   * Commits.
   *
   * @param answer called once on the loop
   */
  void commit(TransactionWork work, Consumer<CommitResult> answer) {
    Commit commit = new Commit(work, answer);
    running.add(commit);
    if (leading.isEmpty() || !recovered) {
      rolledBack(
          commit, new BrokerException(ErrorCode.NOT_LEADER, "transactions are not available now"));
    } else if (isOneBatch(work)) {
      appendDirectly(commit);
    } else {
      LogEnds.ask(work, services, loop, ends -> onEnds(commit, ends));
    }
  }

  /** A batch is atomic as it is. */
  private static boolean isOneBatch(TransactionWork work) {
    return work.changes().isEmpty()
        && work.sends().stream().map(TransactionSend::target).distinct().count() == 1;
  }

  private void appendDirectly(Commit commit) {
    TransactionSend first = commit.work.sends().get(0);
    Optional<PartitionRef> partition = services.partition(first.topic(), first.partition());
    if (partition.isEmpty()) {
      String what = first.topic().name() + " is not there any more";
      rolledBack(commit, new BrokerException(ErrorCode.RESOURCE_DELETED, what));
      return;
    }
    List<TransactionSend.Stored> records =
        commit.work.sends().stream().map(TransactionSend::record).toList();
    Intent.Part part = new Intent.Part(first.target(), 0, records);
    partition
        .get()
        .append(
            new AppendRequest(
                part.toBatch(first.topic().config().compression()),
                Acks.ALL,
                loop,
                (request, result) -> {
                  if (result instanceof AppendResult.Appended) {
                    finish(commit, new CommitResult.Committed());
                  } else {
                    onNotAppended(commit, result);
                  }
                }));
  }

  private void onEnds(Commit commit, Reply<Map<Target, Long>> ends) {
    Optional<PartitionRef> self = self();
    if (ends instanceof Reply.Failed<Map<Target, Long>> failed) {
      rolledBack(commit, failed.error());
    } else if (self.isEmpty() || !recovered) {
      rolledBack(
          commit, new BrokerException(ErrorCode.NOT_LEADER, "transactions are not available now"));
    } else {
      Intent intent = Intent.of(commit.work, ends.orThrow());
      self.get()
          .append(
              new AppendRequest(
                  IntentCodec.encode(intent),
                  Acks.ALL,
                  loop,
                  (request, result) -> {
                    bytes += request.records().sizeInBytes();
                    onIntent(commit, intent, result);
                  }));
    }
  }

  private void onIntent(Commit commit, Intent intent, AppendResult result) {
    if (!(result instanceof AppendResult.Appended appended)) {
      onNotAppended(commit, result);
    } else if (leading.isEmpty()) {
      unknown(commit, "the broker stops; the transaction is applied by its next start");
    } else {
      Leading now = leading.get();
      long offset = appended.baseOffset();
      open.onIntent(offset, now.log.epoch());
      now.apply.apply(
          intent,
          new IntentApply.At(now.log.epoch(), offset, false),
          () -> {
            now.markers.add(offset);
            finish(commit, new CommitResult.Committed());
          });
    }
  }

  private void onNotAppended(Commit commit, AppendResult result) {
    if (result instanceof AppendResult.Refused refused) {
      rolledBack(commit, refused.error());
    } else if (result instanceof AppendResult.Indeterminate lost) {
      unknown(commit, lost.reason());
    }
  }

  private void rolledBack(Commit commit, BrokerException reason) {
    finish(commit, new CommitResult.RolledBack(reason));
  }

  private void unknown(Commit commit, String reason) {
    finish(commit, new CommitResult.Unknown(reason));
  }

  private void finish(Commit commit, CommitResult result) {
    if (running.remove(commit)) {
      commit.answer.accept(result);
    }
  }

  // --- log start

  private void onMarker(List<Long> intents, long offset) {
    open.onApplied(intents);
    if (bytes >= TRUNCATE_BYTES) {
      bytes = 0;
      leading.ifPresent(now -> now.log.truncateBefore(open.needed(offset)));
    }
  }
}
