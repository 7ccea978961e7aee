package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.WalException;
import io.amphora.wal.disk.SimulatedFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The power goes off at a random change of the disk, again and again, while a node takes messages.
 * The disk keeps only what was forced, directory entries included, and anything or nothing of the
 * rest. Every message that was accepted under flush policy {@code commit} is there, in order, once.
 */
class PowerLossTest {

  private static final int LIVES = 25;
  private static final int MOST_APPENDS = 400;
  private static final TopicConfig TWO = TopicConfig.DEFAULT.withPartitions(2);

  private final Set<String> accepted = new HashSet<>();
  private final Set<String> sent = new HashSet<>();
  private int next;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldKeepEveryAcceptedMessage(long seed) {
    Random random = new Random(seed);
    SimulatedFiles files = new SimulatedFiles();
    for (int life = 0; life < LIVES; life++) {
      files.crashAfter(1 + random.nextInt(life % 5 == 0 ? 60 : 600));
      live(files);
      files.powerOff();
      files = files.afterPowerLoss(random);
      check("seed " + seed + " life " + life, files);
      files = files.afterKill();
    }
    assertThat(accepted).hasSizeGreaterThan(100);
  }

  /** Publishes until the power is off or enough was sent. */
  private void live(SimulatedFiles files) {
    LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    NodeLife node;
    try {
      node = new NodeLife(files);
    } catch (NodeLife.Dead | WalException | BrokerException e) {
      return;
    }
    try {
      if (!node.has("t")) {
        node.create("t", TWO);
      }
      for (int i = 0; i < MOST_APPENDS && !files.isOff(); i++) {
        String body = "m" + next++;
        sent.add(body);
        node.append(node.partition("t", i % 2), body, answers);
      }
      node.messages("t", 0);
      node.messages("t", 1);
    } catch (NodeLife.Dead | BrokerException e) {
      // The power went off in the middle.
    } finally {
      node.end();
    }
    accepted.addAll(answers);
  }

  private void check(String when, SimulatedFiles files) {
    NodeLife node = new NodeLife(files);
    try {
      if (!node.has("t")) {
        assertThat(accepted).as(when).isEmpty();
        return;
      }
      List<String> stored = new ArrayList<>(node.messages("t", 0));
      assertThat(stored).as(when).isSortedAccordingTo(PowerLossTest::byNumber);
      List<String> other = node.messages("t", 1);
      assertThat(other).as(when).isSortedAccordingTo(PowerLossTest::byNumber);
      stored.addAll(other);
      assertThat(stored).as(when).doesNotHaveDuplicates().containsAll(accepted);
      assertThat(sent).as(when).containsAll(stored);
    } finally {
      node.end();
    }
  }

  private static int byNumber(String a, String b) {
    return Integer.compare(Integer.parseInt(a.substring(1)), Integer.parseInt(b.substring(1)));
  }
}
