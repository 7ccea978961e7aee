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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole core in one thread: what a queue handed out and got accepted never comes again. */
class QueueOverRestartTest {

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

  private Receiver subscribe(String topic, int credit) {
    SubscribeRequest request =
        new SubscribeRequest(
            topic,
            SubscribeRequest.queueOf(topic),
            GroupInfo.Mode.SHARED,
            new MemberId("client", "link", 1),
            StartPosition.EARLIEST,
            SubscribeRequest.Options.DEFAULT);
    Receiver receiver = new Receiver();
    node.client.execute(
        () -> {
          receiver.member = node.broker.subscribe(request, node.client, receiver);
          receiver.member.credit(credit);
        });
    node.scheduler.advanceMillis(100);
    return receiver;
  }

  private final class Receiver implements MemberListener {
    final List<Delivery> deliveries = new ArrayList<>();
    final List<BrokerException> detached = new ArrayList<>();
    Member member;

    List<String> bodies() {
      return deliveries.stream().map(d -> NodeHarness.text(d.record())).toList();
    }

    void acceptAll() {
      node.client.execute(
          () ->
              member.settle(
                  deliveries.stream()
                      .map(
                          d -> new Settlement(d.partition(), d.record().offset(), Outcome.ACCEPTED))
                      .toList()));
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
