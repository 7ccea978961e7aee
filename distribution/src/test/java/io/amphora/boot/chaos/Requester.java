package io.amphora.boot.chaos;

import io.amphora.boot.it.WholeMessage;
import java.util.Random;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Asks, and waits for each answer on a temporary topic. One thread at a time. */
final class Requester implements ChaosLink {

  private static final int ID = 50;

  private final TopicRecord requests;
  private int next;

  Requester(TopicRecord requests) {
    this.requests = requests;
  }

  @Override
  public String name() {
    return "requester";
  }

  @Override
  public void run(Connection connection, int port, Random random) throws ClientException {
    try (Receiver replies = connection.openDynamicReceiver();
        Sender sender = connection.openSender(requests.topic())) {
      while (true) {
        Payload payload = new Payload(ID, next++);
        requests.sent().sending(payload);
        Message<byte[]> request = Message.create(payload.encode());
        request.replyTo(replies.address()).messageId(payload.toString());
        sender.send(request).awaitAccepted();
        requests.sent().accepted(payload);
        check(payload, replies.receive());
      }
    }
  }

  private static void check(Payload payload, Delivery delivery) throws ClientException {
    Message<?> answer = WholeMessage.of(delivery);
    boolean same = payload.equals(Payload.decode((byte[]) answer.body()));
    if (!same || !payload.toString().equals(answer.correlationId())) {
      throw new IllegalStateException(answer.correlationId() + " is no answer to " + payload);
    }
  }
}
