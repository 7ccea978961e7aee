package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.delivery.DeliveryHub;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.transaction.CommitResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that moves messages in transactions is killed at every step, and its next life at every
 * step of its recovery: no message is lost, none is applied twice, none half.
 */
class TransactionCrashTest {

  private static final List<String> ALL = List.of("1", "2", "3", "4");

  private NodeHarness node;
  private final Set<String> committed = new HashSet<>();

  private void prepare(long seed) {
    committed.clear();
    node = new NodeHarness(seed);
    node.deliveries = services -> new DeliveryHub(services, new MetricRegistry());
    node.start();
    node.create("a");
    node.create("b", TopicConfig.DEFAULT.withPartitions(2));
    node.create("c");
    node.append("a", 0, ALL.toArray(String[]::new));
  }

  /** Moves messages; stops after so many steps; false when there was nothing more to do. */
  private boolean work(int steps) {
    TxReceiver receiver = new TxReceiver(node);
    receiver.onEach =
        delivery ->
            receiver.move(
                delivery,
                result -> {
                  if (result instanceof CommitResult.Committed) {
                    committed.add(NodeHarness.text(delivery.record()));
                  }
                });
    receiver.subscribe("a", 10);
    for (int i = 0; i < steps; i++) {
      if (!node.scheduler.step()) {
        return false;
      }
    }
    return true;
  }

  private void check(String when) {
    node.start();
    List<String> left = TxReceiver.of(node, "a", 10).bodies();
    List<String> moved = ALL.stream().filter(body -> !left.contains(body)).toList();
    assertThat(left).as(when).doesNotHaveDuplicates();
    assertThat(moved).as(when).containsAll(committed);
    assertThat(node.messages("b", 0)).as(when).containsExactlyInAnyOrderElementsOf(moved);
    assertThat(node.messages("b", 1)).as(when).containsExactlyInAnyOrderElementsOf(moved);
    List<String> pairs = new ArrayList<>();
    moved.forEach(body -> pairs.addAll(List.of(body + "-1", body + "-2")));
    assertThat(node.messages("c", 0)).as(when).containsExactlyInAnyOrderElementsOf(pairs);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldApplyEachTransactionOnceWhereverItIsKilled(long seed) {
    int most = 0;
    boolean more = true;
    for (int steps = 0; more; steps++) {
      prepare(seed);
      more = work(steps);
      node.crash();
      check("seed " + seed + ", killed after " + steps);
      most = Math.max(most, committed.size());
    }
    assertThat(most).as("in the end all is moved").isEqualTo(ALL.size());
  }

  /** The recovery itself is killed, early and late, and repeated. */
  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void shouldApplyEachTransactionOnceWhereverItsRecoveryIsKilled(long seed) {
    boolean more = true;
    for (int steps = 40; more; steps += 7) {
      for (int second = 1; second < 160; second += 6) {
        prepare(seed);
        more = work(steps);
        node.crash();
        node.beginStart(reply -> {});
        for (int i = 0; i < second && node.scheduler.step(); i++) {
          // On its way.
        }
        node.crash();
        check("seed " + seed + ", killed after " + steps + ", then after " + second);
      }
    }
  }
}
