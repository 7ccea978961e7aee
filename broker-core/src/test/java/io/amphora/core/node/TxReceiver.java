package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberId;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.CommitResult;
import io.amphora.core.transaction.Transaction;
import io.amphora.core.transaction.TransactionSend;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A member of the queue of a topic, and what is done with its deliveries in transactions. */
final class TxReceiver implements MemberListener {
  final List<Delivery> deliveries = new ArrayList<>();
  private final NodeHarness at;
  Member member;
  Consumer<Delivery> onEach = delivery -> {};

  TxReceiver(NodeHarness at) {
    this.at = at;
  }

  /** Subscribes and runs until nothing moves. */
  static TxReceiver of(NodeHarness at, String topic, int credit) {
    TxReceiver receiver = new TxReceiver(at);
    receiver.subscribe(topic, credit);
    at.scheduler.advanceMillis(100);
    return receiver;
  }

  void subscribe(String topic, int credit) {
    SubscribeRequest request =
        new SubscribeRequest(
            topic,
            SubscribeRequest.queueOf(topic),
            GroupInfo.Mode.SHARED,
            new MemberId("client", "link", 1),
            StartPosition.EARLIEST,
            SubscribeRequest.Options.DEFAULT);
    at.client.execute(
        () -> {
          member = at.broker.subscribe(request, at.client, this);
          member.credit(credit);
        });
  }

  List<String> bodies() {
    return deliveries.stream().map(d -> NodeHarness.text(d.record())).toList();
  }

  static Settlement accepted(Delivery d) {
    return word(d, Outcome.ACCEPTED);
  }

  static Settlement word(Delivery d, Outcome outcome) {
    return new Settlement(d.partition(), d.record().offset(), outcome);
  }

  static TransactionSend send(Broker broker, String topic, int partition, String body) {
    TopicInfo info = broker.topology().topics().get(topic);
    ByteBuffer none = ByteBuffer.allocate(0);
    ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8));
    return new TransactionSend(
        info, partition, new TransactionSend.Stored(RecordFields.NONE, none, none, bytes));
  }

  /** Accepts a message of A and sends its successors to both partitions of B and to C. */
  void move(Delivery delivery, Consumer<CommitResult> done) {
    String body = NodeHarness.text(delivery.record());
    Transaction transaction = at.broker.transactions().begin(at.client, () -> {});
    transaction.claim(member, List.of(accepted(delivery)), true);
    transaction.send(send(at.broker, "b", 0, body));
    transaction.send(send(at.broker, "b", 1, body));
    transaction.send(send(at.broker, "c", 0, body + "-1"));
    transaction.send(send(at.broker, "c", 0, body + "-2"));
    transaction.commit(done);
  }

  @Override
  public void onAttached() {}

  @Override
  public void onDeliveries(List<Delivery> batch) {
    deliveries.addAll(batch);
    batch.forEach(onEach);
  }

  @Override
  public void onDrained(int unused) {}

  @Override
  public void onDetached(BrokerException reason) {}
}
