package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.LocalPartition;
import io.amphora.core.partition.PartitionEvents;
import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.replication.LeaderElection;
import io.amphora.core.replication.Promise;
import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.replication.ReplicaState;
import io.amphora.core.replication.ReplicaStates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects leaders for many partitions at once (docs/safety-rules.md), so that they share two writes
 * of the promises and the forces of their epoch starts: promise, on disk, decide, led, on disk,
 * epoch start. Owned by the control loop.
 */
final class Elections {

  private static final Logger LOG = LoggerFactory.getLogger(Elections.class);

  /** Epoch starts under way at once: the disk thread's queue is bounded. */
  private static final int LEAD_WINDOW = 256;

  /** Longest wait for an epoch start to be committed. */
  private static final long LEAD_TIMEOUT_NANOS = 30_000_000_000L;

  private final Loop control;
  private final ReplicaStates states;
  private final Supplier<UUID> ids;
  private final Map<ReplicaKey, Consumer<Reply<Led>>> waiting = new HashMap<>();

  /** A partition that leads now. */
  record Led(PartitionSetup partition, int epoch) {}

  private record Candidate(
      LocalPartition partition, Promise.Request request, Promise.Granted granted) {
    PartitionSetup setup() {
      return partition.target().setup();
    }

    ReplicaKey key() {
      return setup().key();
    }
  }

  Elections(Loop control, ReplicaStates states, Supplier<UUID> ids) {
    this.control = control;
    this.states = states;
    this.ids = ids;
  }

  /** What partitions tell; posts to the control loop. */
  PartitionEvents events(Consumer<BrokerException> onBroken) {
    return new PartitionEvents() {
      @Override
      public void onLeading(PartitionSetup partition, int epoch) {
        control.execute(() -> answer(partition, Reply.ok(new Led(partition, epoch))));
      }

      @Override
      public void onBroken(PartitionSetup partition, BrokerException reason) {
        control.execute(
            () -> {
              answer(partition, new Reply.Failed<>(reason));
              onBroken.accept(reason);
            });
      }
    };
  }

  private void answer(PartitionSetup partition, Reply<Led> reply) {
    Consumer<Reply<Led>> waiter = waiting.remove(partition.key());
    if (waiter != null) {
      waiter.accept(reply);
    }
  }

  /** Elects; answered when all lead, their epoch starts committed, or with why one cannot. */
  void run(List<OpenedPartition> partitions, Consumer<Reply<List<Led>>> done) {
    for (OpenedPartition opened : partitions) {
      states.atLeast(opened.partition().target().setup().key(), opened.lastEpoch());
    }
    InWindow.run(
        partitions,
        Integer.MAX_VALUE,
        this::promise,
        reply -> then(reply, done, candidates -> onPromised(candidates, done)));
  }

  private void promise(OpenedPartition opened, Consumer<Reply<Candidate>> done) {
    LocalPartition partition = opened.partition();
    PartitionSetup setup = partition.target().setup();
    int known =
        Math.max(
            states.of(setup.key()).promised(),
            setup.topic().partitions().get(setup.number()).epoch());
    Promise.Request request = new Promise.Request(known + 1, ids.get());
    partition
        .loop()
        .execute(
            () -> {
              Reply<Promise.Granted> granted = partition.target().onPromise(request);
              control.execute(
                  () ->
                      then(
                          granted,
                          done,
                          g -> done.accept(Reply.ok(new Candidate(partition, request, g)))));
            });
  }

  private void onPromised(List<Candidate> candidates, Consumer<Reply<List<Led>>> done) {
    Map<ReplicaKey, ReplicaState> promised = new HashMap<>();
    for (Candidate c : candidates) {
      states.of(c.key()).promise(c.request()).ifPresent(next -> promised.put(c.key(), next));
    }
    persist(candidates, promised, done, () -> onPromisesDurable(candidates, done));
  }

  private void onPromisesDurable(List<Candidate> candidates, Consumer<Reply<List<Led>>> done) {
    Map<ReplicaKey, ReplicaState> led = new HashMap<>();
    for (Candidate c : candidates) {
      if (LeaderElection.elect(List.of(c.granted())) instanceof LeaderElection.NoLeader none) {
        String message = c.setup() + ": " + none.reason();
        done.accept(Reply.failed(ErrorCode.NOT_ENOUGH_REPLICAS, message));
        return;
      }
      states.of(c.key()).lead(c.request()).ifPresent(next -> led.put(c.key(), next));
    }
    persist(
        candidates,
        led,
        done,
        () -> InWindow.run(candidates, LEAD_WINDOW, this::lead, reply -> onLed(reply, done)));
  }

  /** One write for all; any refusal stops the batch: on this node nobody else elects. */
  private void persist(
      List<Candidate> candidates,
      Map<ReplicaKey, ReplicaState> changes,
      Consumer<Reply<List<Led>>> done,
      Runnable next) {
    if (changes.size() != candidates.size()) {
      done.accept(Reply.failed(ErrorCode.NOT_LEADER, "a higher epoch is promised already"));
      return;
    }
    if (changes.isEmpty()) {
      next.run();
      return;
    }
    states.update(changes, reply -> then(reply, done, n -> next.run()));
  }

  private void lead(Candidate candidate, Consumer<Reply<Led>> done) {
    waiting.put(candidate.key(), done);
    LocalPartition partition = candidate.partition();
    int epoch = candidate.request().epoch();
    long answeredEnd = candidate.granted().durableEnd();
    partition
        .loop()
        .execute(
            () -> {
              Reply<Integer> begun = partition.target().onLead(epoch, answeredEnd);
              if (begun instanceof Reply.Failed<Integer> failed) {
                control.execute(
                    () -> answer(candidate.setup(), new Reply.Failed<>(failed.error())));
              }
            });
    control.schedule(
        LEAD_TIMEOUT_NANOS,
        () -> {
          if (waiting.get(candidate.key()) == done) {
            answer(candidate.setup(), tooLate(candidate));
          }
        });
  }

  private static Reply<Led> tooLate(Candidate candidate) {
    return Reply.failed(
        ErrorCode.TIMEOUT,
        candidate.setup() + " cannot write its epoch start; is the disk full or very slow?");
  }

  private static void onLed(Reply<List<Led>> reply, Consumer<Reply<List<Led>>> done) {
    if (reply instanceof Reply.Ok<List<Led>> ok) {
      LOG.info("{} partitions lead", ok.value().size());
    }
    done.accept(reply);
  }

  private static <T, R> void then(Reply<T> reply, Consumer<Reply<R>> failed, Consumer<T> ok) {
    if (reply instanceof Reply.Ok<T> value) {
      ok.accept(value.value());
    } else {
      failed.accept(new Reply.Failed<>(((Reply.Failed<T>) reply).error()));
    }
  }
}
