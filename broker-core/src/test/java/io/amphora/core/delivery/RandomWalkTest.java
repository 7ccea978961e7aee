package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.node.CoreOptions;
import io.amphora.core.position.Position;
import io.amphora.core.topology.GroupInfo.Mode;
import io.amphora.core.transaction.TransactionLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Members come, go, die, take credit, settle and drain at random, while messages are appended,
 * reads and journal writes fail and the node crashes. Invariants: credit is never exceeded (checked
 * by {@link TestMember}), no message is held by two members at a time, nothing that was journaled
 * as done is delivered again, the position never passes what is not settled, and in the end every
 * message was accepted.
 */
class RandomWalkTest {
  private static final int WALKS = Integer.getInteger("amphora.walks", 30);
  private static final int STEPS = 250;
  private static final byte[] NONE = new byte[0];

  @ParameterizedTest
  @EnumSource(Mode.class)
  void shouldKeepItsInvariants(Mode mode) {
    for (long seed = 1; seed <= WALKS; seed++) {
      try {
        new Walk(seed, mode).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " mode " + mode + ": " + e.getMessage(), e);
      }
    }
  }

  private record At(int partition, long offset) {}

  private static final class Walk {
    private final Random random;
    private final Mode mode;
    private final FakeNode node;
    private final int partitions;
    private final List<TestMember> members = new ArrayList<>();
    private final Map<At, TestMember> holders = new HashMap<>();
    private final Map<TestMember, Integer> counted = new HashMap<>();
    private final Set<At> appended = new HashSet<>();
    private final Set<At> accepted = new HashSet<>();
    private final Set<At> acceptedInThisLife = new HashSet<>();
    private final Set<At> journaled = new HashSet<>();

    Walk(long seed, Mode mode) {
      this.random = new Random(seed);
      this.mode = mode;
      this.node = FakeNode.started(seed);
      this.partitions = 1 + random.nextInt(4);
      node.options =
          new CoreOptions(
              1 << 20, 1 << 20, 100, 5 + random.nextInt(60), 2, 60_000, TransactionLimits.DEFAULT);
      node.maxAttempts = -1;
      node.createTopic("t", partitions);
      node.crash();
      for (int p = 0; p < partitions; p++) {
        node.log("t", p).cold = random.nextBoolean();
      }
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        for (int s = random.nextInt(30); s > 0 && node.sim.step(); s--) {
          check();
        }
        if (random.nextInt(4) == 0) {
          node.run(random.nextInt(200));
        }
        check();
      }
      finish();
    }

    private void step() {
      int dice = random.nextInt(100);
      if (dice < 20) {
        append();
      } else if (dice < 30) {
        if (members.size() < 5) {
          members.add(node.subscribe("t", "g", mode));
        }
      } else if (dice < 96 && !members.isEmpty()) {
        act(members.get(random.nextInt(members.size())), dice);
      } else if (dice < 98) {
        node.journalRefuses = !node.journalRefuses;
      } else if (dice == 98) {
        FakeLog log = node.log("t", random.nextInt(partitions));
        log.failure = log.failure.isPresent() ? Optional.empty() : Optional.of(ErrorCode.TIMEOUT);
      } else {
        crash();
      }
    }

    private void append() {
      int partition = random.nextInt(partitions);
      FakeLog log = node.log("t", partition);
      int number = 1 + random.nextInt(8);
      for (int i = 0; i < number; i++) {
        appended.add(new At(partition, log.end + i));
      }
      log.append(number);
    }

    private void act(TestMember member, int dice) {
      if (dice < 55) {
        member.credit(random.nextInt(12));
      } else if (dice < 80) {
        settleSome(member);
      } else if (dice < 90) {
        member.drain();
      } else {
        leave(member);
      }
    }

    /** What it holds goes back when the core hears of it; until then it counts as free. */
    private void leave(TestMember member) {
      member.close();
      members.remove(member);
      holders.values().removeIf(holder -> holder.equals(member));
    }

    private void settleSome(TestMember member) {
      List<Delivery> held = held(member);
      for (Delivery delivery : held) {
        if (random.nextInt(3) > 0) {
          settle(member, delivery, outcome());
        }
      }
    }

    private Outcome outcome() {
      return switch (random.nextInt(6)) {
        case 0 -> Outcome.RELEASED;
        case 1 -> new Outcome.Modified(true, false, NONE);
        case 2 -> mode == Mode.SHARED ? new Outcome.Modified(false, true, NONE) : Outcome.RELEASED;
        default -> Outcome.ACCEPTED;
      };
    }

    private void settle(TestMember member, Delivery delivery, Outcome outcome) {
      At at = at(delivery);
      holders.remove(at);
      if (outcome.equals(Outcome.ACCEPTED)) {
        accepted.add(at);
        acceptedInThisLife.add(at);
      }
      if (random.nextBoolean()) {
        member.settle(outcome, delivery);
      } else {
        member.settleDurably(outcome, List.of(delivery));
      }
    }

    /** The latest delivery of each message it holds. */
    private List<Delivery> held(TestMember member) {
      Map<At, Delivery> held = new LinkedHashMap<>();
      for (Delivery delivery : member.deliveries) {
        if (member.equals(holders.get(at(delivery)))) {
          held.put(at(delivery), delivery);
        }
      }
      return List.copyOf(held.values());
    }

    private static At at(Delivery delivery) {
      return new At(delivery.partition(), delivery.record().offset());
    }

    private void crash() {
      node.crash();
      members.clear();
      holders.clear();
      counted.clear();
      // What was accepted but not journaled may come again.
      acceptedInThisLife.clear();
    }

    private void check() {
      for (TestMember member : members) {
        int from = counted.getOrDefault(member, 0);
        for (Delivery delivery : member.deliveries.subList(from, member.deliveries.size())) {
          At at = at(delivery);
          assertThat(appended).as("a message").contains(at);
          assertThat(holders.put(at, member)).as("holder of %s", at).isNull();
          assertThat(journaled).as("done and journaled").doesNotContain(at);
          assertThat(acceptedInThisLife).as("done in this life").doesNotContain(at);
        }
        counted.put(member, member.deliveries.size());
      }
      readPositions();
      members.forEach(this::checkAnswers);
      members.removeIf(
          member -> {
            if (member.detached.isPresent()) {
              holders.values().removeIf(holder -> holder.equals(member));
            }
            return member.detached.isPresent();
          });
    }

    /** What was said to be durable is in the journal. */
    private void checkAnswers(TestMember member) {
      for (Settlement word : member.durable) {
        if (word.outcome().equals(Outcome.ACCEPTED)) {
          assertThat(journaled).contains(new At(word.partition(), word.offset()));
        }
      }
    }

    private void readPositions() {
      if (!node.groups.containsKey("g")) {
        return;
      }
      for (int p = 0; p < partitions; p++) {
        Position position = node.position("g", "t", p);
        if (position == null) {
          continue;
        }
        for (At at : appended) {
          if (at.partition() == p && isDone(position, at.offset()) && journaled.add(at)) {
            assertThat(accepted.contains(at) || wasParked(position, at.offset()))
                .as("%s is done in %s", at, position)
                .isTrue();
          }
        }
      }
    }

    private static boolean wasParked(Position position, long offset) {
      return position.parked().stream().anyMatch(r -> r.from() <= offset && offset < r.to());
    }

    private static boolean isDone(Position position, long offset) {
      return offset < position.committed()
          || position.done().stream().anyMatch(r -> r.from() <= offset && offset < r.to());
    }

    /** Everything heals; patient members take all that is left. */
    private void finish() {
      node.journalRefuses = false;
      for (int p = 0; p < partitions; p++) {
        node.log("t", p).failure = Optional.empty();
      }
      node.run(3000);
      check();
      for (TestMember member : List.copyOf(members)) {
        leave(member);
      }
      node.run(3000);
      check();
      TestMember last = node.subscribe("t", "g", mode);
      members.add(last);
      for (int round = 0; round < 2000 && journaled.size() < appended.size(); round++) {
        last.credit(1 + random.nextInt(9));
        node.run();
        check();
        held(last).forEach(delivery -> settle(last, delivery, Outcome.ACCEPTED));
        node.run(110);
        check();
      }
      Set<At> lost = new HashSet<>(appended);
      lost.removeAll(journaled);
      assertThat(lost).as("never delivered").isEmpty();
    }
  }
}
