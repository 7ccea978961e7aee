package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.GroupInfo.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * No lost wake-ups: whenever nothing moves any more, nobody has credit while a message is free. And
 * credit that is lowered while messages are on their way does not turn their order around.
 */
class StallTest {
  private static final int WALKS = Integer.getInteger("amphora.walks", 400);

  private record At(int partition, long offset) {}

  @Test
  void shouldNotStallWithSeveralMembersOverSeveralPartitions() {
    for (long seed = 1; seed <= WALKS; seed++) {
      try {
        new Walk(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  /** Members take, accept and release; credit goes up and down; nothing fails. */
  private static final class Walk {
    private final Random random;
    private final FakeNode node;
    private final int partitions;
    private final List<TestMember> members = new ArrayList<>();
    private final Set<At> open = new HashSet<>();

    Walk(long seed) {
      random = new Random(seed);
      node = FakeNode.started(seed);
      partitions = 2 + random.nextInt(3);
      node.createTopic("t", partitions);
      node.run();
      for (int p = 0; p < partitions; p++) {
        node.log("t", p).cold = random.nextInt(3) == 0;
      }
    }

    void run() {
      for (int round = 0; round < 60; round++) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          step();
          for (int s = random.nextInt(12); s > 0 && node.sim.step(); s--) {
            // Some of what follows happens, some is still on its way at the next step.
          }
        }
        node.run();
        check();
      }
    }

    private void step() {
      int dice = random.nextInt(10);
      if (dice < 3) {
        int partition = random.nextInt(partitions);
        FakeLog log = node.log("t", partition);
        int number = 1 + random.nextInt(3);
        for (int i = 0; i < number; i++) {
          open.add(new At(partition, log.end + i));
        }
        log.append(number);
      } else if (members.size() < 3) {
        members.add(node.queue("t"));
      } else {
        act(members.get(random.nextInt(members.size())));
      }
    }

    private void act(TestMember member) {
      int dice = random.nextInt(10);
      if (dice < 5) {
        member.credit(random.nextInt(5));
      } else if (dice < 8) {
        List<Delivery> taken = member.take();
        taken.forEach(d -> open.remove(new At(d.partition(), d.record().offset())));
        member.accept(taken);
      } else if (dice == 8) {
        member.drain();
      } else {
        member.close();
        members.remove(member);
      }
    }

    private void check() {
      Set<At> free = new HashSet<>(open);
      for (TestMember member : members) {
        member.deliveries.forEach(d -> free.remove(new At(d.partition(), d.record().offset())));
      }
      for (TestMember member : members) {
        if (member.credit > 0) {
          assertThat(free).as("free while a member has credit %d", member.credit).isEmpty();
        }
      }
    }
  }

  @Test
  void shouldKeepOrderWhenCreditGoesDownAndUpAgain() {
    for (Mode mode : Mode.values()) {
      for (long seed = 1; seed <= WALKS; seed++) {
        keepOrder(mode, seed);
      }
    }
  }

  private void keepOrder(Mode mode, long seed) {
    Random random = new Random(seed);
    FakeNode node = FakeNode.started(seed);
    node.createTopic("t", 1);
    node.run();
    TestMember member = node.subscribe("t", "g", mode);
    node.run();
    for (int i = 0; i < 60; i++) {
      if (random.nextBoolean()) {
        member.credit(random.nextInt(8));
      } else {
        node.log("t", 0).append(1 + random.nextInt(4));
      }
      for (int s = random.nextInt(5); s > 0 && node.sim.step(); s--) {
        // What is on its way may cross what comes next.
      }
    }
    member.credit(1000);
    node.run();
    assertThat(member.offsets()).as("seed %d mode %s", seed, mode).isSorted();
  }
}
