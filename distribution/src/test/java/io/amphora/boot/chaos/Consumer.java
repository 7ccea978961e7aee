package io.amphora.boot.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Receives and accepts until its connection breaks or nothing more comes. */
final class Consumer implements Runnable {

  /** A message as it arrived. */
  record Received(int partition, long offset, Payload payload) {}

  private final String address;
  private final Client client;
  private final long quietMillis;
  private int port;

  final Set<Payload> payloads = new HashSet<>();
  final List<Received> received = new ArrayList<>();
  final List<String> damaged = new ArrayList<>();

  /**
   * @param quietMillis stop after this much silence; 0 goes on until the connection breaks
   */
  Consumer(String address, Client client, long quietMillis) {
    this.address = address;
    this.client = client;
    this.quietMillis = quietMillis;
  }

  Consumer on(int brokerPort) {
    port = brokerPort;
    return this;
  }

  @Override
  public void run() {
    ReceiverOptions options = new ReceiverOptions().creditWindow(100).autoAccept(false);
    try (Connection connection = client.connect("127.0.0.1", port);
        Receiver receiver = connection.openReceiver(address, options)) {
      Delivery delivery = next(receiver);
      while (delivery != null) {
        take(delivery);
        delivery.accept();
        delivery = next(receiver);
      }
    } catch (ClientException e) {
      // The broker was killed: the end of this round.
      if (quietMillis > 0) {
        throw new AssertionError("the audit broke", e);
      }
    }
  }

  private Delivery next(Receiver receiver) throws ClientException {
    return quietMillis > 0
        ? receiver.receive(quietMillis, TimeUnit.MILLISECONDS)
        : receiver.receive();
  }

  private void take(Delivery delivery) throws ClientException {
    Message<byte[]> message = delivery.message();
    Payload payload = Payload.decode(message.body());
    if (!Arrays.equals(payload.encode(), message.body())) {
      damaged.add("changed: " + payload);
    }
    payloads.add(payload);
    int partition = ((Number) message.annotation("x-opt-partition")).intValue();
    long offset = ((Number) message.annotation("x-opt-sequence-number")).longValue();
    received.add(new Received(partition, offset, payload));
  }
}
