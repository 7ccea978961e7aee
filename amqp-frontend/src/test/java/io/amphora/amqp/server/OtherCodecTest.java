package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.core.topology.ScramPassword;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionSecurityException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client with a codec that shares nothing with the broker's. */
@Timeout(30)
class OtherCodecTest {

  @Test
  void shouldSendReceiveReleaseAndDrain() throws Exception {
    try (ServerRig rig = new ServerRig();
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", rig.port)) {
      Sender sender = connection.openSender("orders");
      List<Tracker> trackers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        Message<String> message = Message.create("m" + i);
        message
            .messageId(java.util.UUID.randomUUID())
            .property("n", i)
            .annotation("x-opt-mine", (byte) i);
        trackers.add(sender.send(message));
      }
      for (Tracker tracker : trackers) {
        assertThat(tracker.settlementFuture().get(10, TimeUnit.SECONDS).remoteState().isAccepted())
            .isTrue();
      }
      Receiver receiver =
          connection.openReceiver(
              "orders", new ReceiverOptions().autoAccept(false).creditWindow(0));
      receiver.addCredit(301);
      Delivery first = receiver.receive(10, TimeUnit.SECONDS);
      first.release();
      for (int i = 1; i < 300; i++) {
        Delivery delivery = receiver.receive(10, TimeUnit.SECONDS);
        Message<String> message = delivery.message();
        assertThat(message.body()).isEqualTo("m" + i);
        assertThat(message.property("n")).isEqualTo(i);
        assertThat(message.annotation("x-opt-mine")).isEqualTo((byte) i);
        assertThat(message.annotation("x-opt-sequence-number")).isEqualTo((long) i);
        delivery.accept();
      }
      Delivery again = receiver.receive(10, TimeUnit.SECONDS);
      assertThat(again.<String>message().body()).isEqualTo("m0");
      again.accept();
      receiver.addCredit(5);
      receiver.drain().get(10, TimeUnit.SECONDS);
    }
  }

  /** It takes the first mechanism that fits its credentials, so SCRAM. */
  @Test
  void shouldLogInWithTheStrongestMechanism() throws Exception {
    try (ServerRig rig = new ServerRig();
        Client client = Client.create()) {
      rig.broker.withUser(ScramPassword.create("ada", "admin", "secret"));
      ConnectionOptions options = new ConnectionOptions().user("ada").reconnectEnabled(false);
      try (Connection connection =
          client.connect("127.0.0.1", rig.port, options.password("secret"))) {
        connection.openFuture().get(10, TimeUnit.SECONDS);
      }
      Connection wrong = client.connect("127.0.0.1", rig.port, options.password("guess"));
      assertThatThrownBy(() -> wrong.openFuture().get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(ClientConnectionSecurityException.class);
    }
  }
}
