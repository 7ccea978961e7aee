package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.BrokerException;
import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.DeliveryHub;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberId;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.FlushPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole core in one thread: what a queue handed out and got accepted never comes again. */
class QueueOverRestartTest {

  /** Steps in which a position is certainly journaled. */
  private static final int PLENTY = 500;

  private final NodeHarness node = new NodeHarness(7);

  @BeforeEach
  void useRealDelivery() {
    node.deliveries = services -> new DeliveryHub(services, new MetricRegistry());
  }

  @Test
  void shouldNotRedeliverWhatWasAcceptedBeforeAStop() {
    node.start();
    node.create("orders");
    node.append("orders", 0, "a", "b", "c");
    Receiver receiver = subscribe("orders", 2);
    assertThat(receiver.bodies()).containsExactly("a", "b");
    receiver.acceptAll();
    node.scheduler.runUntilIdle();

    node.stop();
    node.start();

    assertThat(subscribe("orders", 10).bodies()).containsExactly("c");
  }

  @Test
  void shouldNotRedeliverWhatWasJournaledBeforeACrash() {
    node.start();
    node.create("orders", TopicConfig.DEFAULT.withPartitions(3));
    node.append("orders", 0, "a0", "b0");
    node.append("orders", 1, "a1");
    node.append("orders", 2, "a2", "b2");
    Receiver receiver = subscribe("orders", 10);
    assertThat(receiver.bodies()).containsExactlyInAnyOrder("a0", "b0", "a1", "a2", "b2");
    receiver.acceptAll();
    node.scheduler.advanceMillis(500);

    node.crash();
    node.start();

    Receiver again = subscribe("orders", 10);
    assertThat(again.bodies()).isEmpty();
    node.append("orders", 1, "new");
    assertThat(again.bodies()).containsExactly("new");
  }

  /** Killed somewhere between the word and its answer, what was not forced lost. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13, 16, 18, 20, 21, 22, 24, 26, 28, 30, 34, PLENTY})
  void shouldNotRedeliverWhatWasSaidToBeDurable(int steps) {
    node.start();
    node.create("orders");
    node.append("orders", 0, "a", "b", "c");
    Receiver receiver = subscribe("orders", 10);
    List<String> durable = new ArrayList<>();
    receiver.acceptOneByOne(durable);
    for (int i = 0; i < steps && node.scheduler.step(); i++) {
      // On its way.
    }
    node.crash();
    node.start();
    assertThat(subscribe("orders", 10).bodies()).noneMatch(durable::contains);
    if (steps == PLENTY) {
      assertThat(durable).containsExactly("a", "b", "c");
    }
  }

  @Test
  void shouldGiveARecreatedTopicAFreshQueue() {
    node.start();
    node.create("orders");
    node.append("orders", 0, "a", "b");
    Receiver receiver = subscribe("orders", 10);
    receiver.acceptAll();
    node.scheduler.advanceMillis(500);

    node.delete("orders").orThrow();
    assertThat(receiver.detached).hasSize(1);
    node.create("orders");
    node.append("orders", 0, "x");

    assertThat(subscribe("orders", 10).bodies()).containsExactly("x");
  }

  /** What was settled may be lost under policy os; its offsets are given again. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void shouldNotSkipNewMessagesInThePlaceOfLostOnes(long seed) {
    NodeHarness life = new NodeHarness(seed);
    life.deliveries = services -> new DeliveryHub(services, new MetricRegistry());
    life.start();
    life.create("loose", loose());
    life.append("loose", 0, "a");
    life.append("loose", 0, "b");
    life.append("loose", 0, "c");
    Receiver receiver = subscribe(life, "loose", 10);
    receiver.acceptAll();
    life.scheduler.advanceMillis(500);
    life.crash();

    life.start();
    life.append("loose", 0, "x");
    life.append("loose", 0, "y");
    life.append("loose", 0, "z");
    life.wal.forceAll();
    life.scheduler.runUntilIdle();
    life.crash();

    life.start();
    Receiver again = subscribe(life, "loose", 10);
    assertThat(again.bodies()).containsSubsequence("x", "y", "z");
    again.acceptAll();
    life.scheduler.advanceMillis(500);
    life.stop();
    life.start();
    assertThat(subscribe(life, "loose", 10).bodies()).isEmpty();
  }

  private static TopicConfig loose() {
    TopicConfig d = TopicConfig.DEFAULT;
    return d.withFlush(FlushPolicy.OS);
  }

  private Receiver subscribe(String topic, int credit) {
    return subscribe(node, topic, credit);
  }

  private static Receiver subscribe(NodeHarness at, String topic, int credit) {
    SubscribeRequest request =
        new SubscribeRequest(
            topic,
            SubscribeRequest.queueOf(topic),
            GroupInfo.Mode.SHARED,
            new MemberId("client", "link", 1),
            StartPosition.EARLIEST,
            SubscribeRequest.Options.DEFAULT);
    Receiver receiver = new Receiver(at);
    at.client.execute(
        () -> {
          receiver.member = at.broker.subscribe(request, at.client, receiver);
          receiver.member.credit(credit);
        });
    at.scheduler.advanceMillis(100);
    return receiver;
  }

  private static final class Receiver implements MemberListener {
    final List<Delivery> deliveries = new ArrayList<>();
    final List<BrokerException> detached = new ArrayList<>();
    final NodeHarness at;
    Member member;

    Receiver(NodeHarness at) {
      this.at = at;
    }

    List<String> bodies() {
      return deliveries.stream().map(d -> NodeHarness.text(d.record())).toList();
    }

    void acceptAll() {
      at.client.execute(
          () ->
              member.settle(
                  deliveries.stream()
                      .map(
                          d -> new Settlement(d.partition(), d.record().offset(), Outcome.ACCEPTED))
                      .toList()));
    }

    void acceptOneByOne(List<String> durable) {
      at.client.execute(
          () -> {
            for (Delivery d : deliveries) {
              Settlement word =
                  new Settlement(d.partition(), d.record().offset(), Outcome.ACCEPTED);
              member.settle(List.of(word), () -> durable.add(NodeHarness.text(d.record())));
            }
          });
    }

    @Override
    public void onAttached() {}

    @Override
    public void onDeliveries(List<Delivery> batch) {
      deliveries.addAll(batch);
    }

    @Override
    public void onDrained(int unused) {}

    @Override
    public void onDetached(BrokerException reason) {
      detached.add(reason);
    }
  }
}
