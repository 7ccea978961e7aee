package io.amphora.boot.chaos;

import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Sends and remembers what the broker said of each message. One thread at a time. */
final class Publisher implements ChaosLink {

  private record OnItsWay(Payload payload, Tracker tracker) {}

  private final SenderKind kind;
  private final String topic;
  private final Sent sent;
  private final ArrayDeque<OnItsWay> inFlight = new ArrayDeque<>();
  private int next;

  Publisher(SenderKind kind, String topic, Sent sent) {
    this.kind = kind;
    this.topic = topic;
    this.sent = sent;
  }

  @Override
  public String name() {
    return "sender " + kind;
  }

  @Override
  public void run(Connection connection, int port, Random random)
      throws ClientException, ExecutionException, InterruptedException {
    inFlight.clear();
    try (Sender sender = kind.open(connection, topic)) {
      while (true) {
        send(sender);
        while (inFlight.size() > kind.window() || isAnswered(inFlight.peek())) {
          OnItsWay first = inFlight.remove();
          first.tracker().settlementFuture().get();
          settle(first);
        }
        LockSupport.parkNanos(kind.pauseNanos());
      }
    } finally {
      // What the broker had answered before it was killed counts.
      inFlight.stream().filter(Publisher::isAnswered).forEach(this::settle);
    }
  }

  private void send(Sender sender) throws ClientException {
    Payload payload = new Payload(kind.id(), next++);
    sent.sending(payload);
    Tracker tracker = sender.send(kind.message(payload, topic));
    if (kind.promises()) {
      inFlight.add(new OnItsWay(payload, tracker));
    }
  }

  private static boolean isAnswered(OnItsWay message) {
    return message != null
        && message.tracker().settlementFuture().isDone()
        && message.tracker().remoteState() != null;
  }

  private void settle(OnItsWay message) {
    if (!message.tracker().remoteState().isAccepted()) {
      throw new IllegalStateException("not accepted: " + message.tracker().remoteState());
    }
    sent.accepted(message.payload());
  }
}
