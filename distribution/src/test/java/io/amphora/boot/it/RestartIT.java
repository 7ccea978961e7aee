package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node keeps what it accepted. */
class RestartIT {

  private static final int ROUNDS = 3;
  private static final int KILL_AFTER = 400;

  @TempDir private Path dir;

  @Test
  void shouldKeepEverythingAcceptedThroughKillsInTheMiddleOfSending() throws Exception {
    List<String> accepted = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      try (BrokerProcess broker = BrokerProcess.serving(dir)) {
        accepted.addAll(sendUntilKilled(broker, "r" + round + "-"));
      }
    }
    assertThat(accepted).hasSizeGreaterThanOrEqualTo(ROUNDS * KILL_AFTER);
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      List<String> received = receiveAll(broker, "check");
      assertThat(received).as("nothing accepted may be lost").containsAll(accepted);
      assertThat(received).as("nor may it come twice").doesNotHaveDuplicates();
      assertThat(receiveAll(broker, "check")).as("nor again to the same group").isEmpty();
      assertThat(broker.terminate()).isZero();
    }
  }

  @Test
  void shouldRememberPositionsAfterAGracefulStop() throws Exception {
    List<String> first;
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      assertThat(broker.command("send", "keep", "--count", "100", "--body", "x").exitCode())
          .isZero();
      BrokerProcess half = broker.command("receive", "keep", "--group", "g", "--count", "50");
      assertThat(half.exitCode()).as("%s", half).isZero();
      first = half.out();
      assertThat(broker.terminate()).isZero();
    }
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      BrokerProcess rest = broker.command("receive", "keep", "--group", "g");
      assertThat(rest.out()).as("%s", rest).hasSize(50);
      assertThat(rest.out()).doesNotContainAnyElementsOf(first);
    }
  }

  /** Sends one by one under way; kills the broker after so many answers. */
  private static List<String> sendUntilKilled(BrokerProcess broker, String prefix)
      throws Exception {
    List<Tracker> trackers = new ArrayList<>();
    List<String> accepted = new ArrayList<>();
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      Sender sender = connection.openSender("kept");
      boolean killed = false;
      try {
        for (int i = 0; i < 100_000; i++) {
          trackers.add(sender.send(Message.create(prefix + i)));
          if (!killed && trackers.size() > KILL_AFTER && trackers.get(KILL_AFTER).remoteSettled()) {
            broker.kill();
            killed = true;
          }
        }
      } catch (ClientException e) {
        assertThat(killed).as("the connection may break by the kill only: %s", e).isTrue();
      }
    }
    for (int i = 0; i < trackers.size(); i++) {
      if (trackers.get(i).remoteSettled() && trackers.get(i).remoteState().isAccepted()) {
        accepted.add(prefix + i);
      }
    }
    return accepted;
  }

  private static List<String> receiveAll(BrokerProcess broker, String group) throws Exception {
    List<String> bodies = new ArrayList<>();
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      Receiver receiver =
          connection.openReceiver("kept::" + group, new ReceiverOptions().creditWindow(500));
      Delivery delivery = receiver.receive(5, TimeUnit.SECONDS);
      while (delivery != null) {
        Object body = WholeMessage.of(delivery).body();
        bodies.add(
            body instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : String.valueOf(body));
        delivery.accept();
        delivery = receiver.receive(3, TimeUnit.SECONDS);
      }
      receiver.close();
    }
    return bodies;
  }
}
