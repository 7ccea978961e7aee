package io.amphora.boot.chaos;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Sends until its connection breaks and remembers what the broker said of each message. */
final class Publisher implements Runnable {

  private static final int IN_FLIGHT = 200;

  private record Sent(Payload payload, Tracker tracker) {}

  private final int id;
  private final String topic;
  private final Client client;
  private int next;
  private int port;

  /** What the broker accepted. */
  final Set<Payload> accepted = new HashSet<>();

  /** What was sent and never answered: it may be there or not. */
  final Set<Payload> unknown = new HashSet<>();

  Publisher(int id, String topic, Client client) {
    this.id = id;
    this.topic = topic;
    this.client = client;
  }

  Publisher on(int brokerPort) {
    port = brokerPort;
    return this;
  }

  @Override
  public void run() {
    ArrayDeque<Sent> inFlight = new ArrayDeque<>();
    try (Connection connection = client.connect("127.0.0.1", port);
        Sender sender = connection.openSender(topic)) {
      while (true) {
        Payload payload = new Payload(id, next++);
        unknown.add(payload);
        Message<byte[]> message = Message.create(payload.encode());
        message.annotation("x-opt-partition-key", payload.key());
        inFlight.add(new Sent(payload, sender.send(message)));
        while (inFlight.size() > IN_FLIGHT || isAnswered(inFlight.peek())) {
          settle(inFlight.remove());
        }
      }
    } catch (ClientException | ExecutionException e) {
      // The broker was killed. What it had answered by then still counts.
      inFlight.stream().filter(Publisher::isAnswered).forEach(this::settleAnswered);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isAnswered(Sent sent) {
    return sent != null
        && sent.tracker().settlementFuture().isDone()
        && sent.tracker().remoteState() != null;
  }

  private void settleAnswered(Sent sent) {
    if (sent.tracker().remoteState().isAccepted()) {
      unknown.remove(sent.payload());
      accepted.add(sent.payload());
    }
  }

  private void settle(Sent sent) throws ExecutionException, InterruptedException {
    sent.tracker().settlementFuture().get();
    if (!sent.tracker().remoteState().isAccepted()) {
      throw new AssertionError("not accepted: " + sent.tracker().remoteState());
    }
    settleAnswered(sent);
  }
}
