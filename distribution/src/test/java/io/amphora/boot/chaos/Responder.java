package io.amphora.boot.chaos;

import io.amphora.boot.it.WholeMessage;
import java.util.Optional;
import java.util.Random;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Rejected;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * Answers requests. Those of an earlier life of the broker go to an address that is gone and must
 * stay gone. One thread at a time.
 */
final class Responder implements ChaosLink {

  private final TopicRecord requests;
  private final Group group;

  Responder(TopicRecord requests, Group group) {
    this.requests = requests;
    this.group = group;
  }

  @Override
  public String name() {
    return "responder";
  }

  @Override
  public void run(Connection connection, int port, Random random) throws ClientException {
    Attachment how = Attachment.shared(requests.topic(), Reaction.ACCEPT);
    Trace trace = requests.trace(name(), how);
    try (Receiver receiver = connection.openReceiver(how.address(), how.options());
        Sender sender = connection.openAnonymousSender()) {
      while (true) {
        Delivery delivery = receiver.receive();
        Message<?> request = WholeMessage.of(delivery);
        Arrival arrival = Arrival.of(request);
        requests.arrived(arrival, trace, Optional.of(group));
        answer(request, sender);
        group.finishing(arrival.payload());
        delivery.accept();
      }
    }
  }

  private static void answer(Message<?> request, Sender sender) throws ClientException {
    Message<byte[]> answer = Message.create((byte[]) request.body());
    answer.to(request.replyTo()).correlationId(request.messageId());
    DeliveryState state = sender.send(answer).awaitSettlement().remoteState();
    boolean gone = state instanceof Rejected r && "amqp:not-found".equals(r.getCondition());
    if (!state.isAccepted() && !gone) {
      throw new IllegalStateException("the answer to " + request.replyTo() + " was " + state);
    }
  }
}
