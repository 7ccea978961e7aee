package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.transaction.CommitResult;
import io.amphora.wal.WalException;
import io.amphora.wal.disk.SimulatedFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The power goes off at a change of the disk, again and again, while a node with the real disk
 * thread moves messages in transactions. Each message is once in every topic that it was moved to,
 * or still where it was.
 */
class TransactionPowerLossTest {

  private static final int LIVES = 20;
  private static final int EACH = 6;

  private final Set<String> accepted = new HashSet<>();
  private final Set<String> committed = new HashSet<>();
  private int next;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void shouldMoveEachMessageOnceOrNotAtAll(long seed) {
    Random random = new Random(seed);
    SimulatedFiles files = new SimulatedFiles();
    for (int life = 0; life < LIVES; life++) {
      files.crashAfter(1 + random.nextInt(life == 0 ? 400 : 160));
      live(files);
      files.powerOff();
      files = files.afterPowerLoss(random);
      check("seed " + seed + " life " + life, files);
      files = files.afterKill();
    }
    assertThat(committed).hasSizeGreaterThan(EACH);
  }

  private void live(SimulatedFiles files) {
    LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    NodeLife node;
    try {
      node = new NodeLife(files);
    } catch (NodeLife.Dead | WalException | BrokerException e) {
      return;
    }
    try {
      prepare(node);
      List<String> bodies = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        bodies.add("m" + next++);
      }
      publish(node, bodies);
      accepted.addAll(bodies);
      move(node, answers);
    } catch (NodeLife.Dead | BrokerException e) {
      // The power went off in the middle.
    } finally {
      node.end();
    }
    committed.addAll(answers);
  }

  private static void prepare(NodeLife node) {
    for (String topic : List.of("a", "b", "c")) {
      if (!node.has(topic)) {
        node.create(topic, TopicConfig.DEFAULT.withPartitions(topic.equals("b") ? 2 : 1));
      }
    }
  }

  private static void publish(NodeLife node, List<String> bodies) {
    String[] all = bodies.toArray(String[]::new);
    node.ask(
        (Consumer<Reply<String>> done) ->
            node.partition("a", 0)
                .append(
                    new AppendRequest(
                        NodeHarness.batch(all),
                        Acks.ALL,
                        node.client(),
                        (request, result) -> done.accept(Reply.ok("")))));
  }

  /** Until as many are moved as were published, and maybe more of those before. */
  private static void move(NodeLife node, LinkedBlockingQueue<String> moved) {
    TxReceiver receiver = new TxReceiver(node.broker(), node.client());
    node.ask(
        (Consumer<Reply<String>> done) -> {
          receiver.onEach =
              delivery ->
                  receiver.move(
                      delivery,
                      result -> {
                        if (result instanceof CommitResult.Committed) {
                          moved.add(NodeHarness.text(delivery.record()));
                        }
                        if (moved.size() == EACH) {
                          done.accept(Reply.ok(""));
                        }
                      });
          receiver.subscribe("a", 100);
        });
  }

  private void check(String when, SimulatedFiles files) {
    NodeLife node = new NodeLife(files);
    try {
      if (!node.has("c")) {
        assertThat(committed).as(when).isEmpty();
        return;
      }
      List<String> left = left(node);
      List<String> moved = node.messages("b", 0);
      assertThat(left).as(when).doesNotHaveDuplicates().noneMatch(moved::contains);
      assertThat(moved).as(when).doesNotHaveDuplicates().containsAll(committed);
      assertThat(node.messages("b", 1)).as(when).containsExactlyInAnyOrderElementsOf(moved);
      List<String> pairs = new ArrayList<>();
      moved.forEach(body -> pairs.addAll(List.of(body + "-1", body + "-2")));
      assertThat(node.messages("c", 0)).as(when).containsExactlyInAnyOrderElementsOf(pairs);
      Set<String> found = new HashSet<>(left);
      found.addAll(moved);
      assertThat(found).as(when).containsAll(accepted);
    } finally {
      node.end();
    }
  }

  private static List<String> left(NodeLife node) {
    TxReceiver receiver = new TxReceiver(node.broker(), node.client());
    return node.ask(
        (Consumer<Reply<List<String>>> done) -> {
          receiver.onDrained = () -> done.accept(Reply.ok(receiver.bodies()));
          receiver.onAttached = () -> receiver.member.drain();
          receiver.subscribe("a", 10_000);
        });
  }
}
