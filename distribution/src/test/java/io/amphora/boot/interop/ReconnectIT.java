package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import io.amphora.boot.it.WholeMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that reconnect by themselves go on over a restart of the broker: every number that they
 * send until it is accepted is there.
 */
@Tag("interop")
class ReconnectIT {

  private static final int COUNT = 20;
  private static final long LIMIT_SECONDS = 120;

  @TempDir private Path dir;

  /** A client that sends numbers up to {@link #COUNT}. */
  private interface Numbers {
    /** Calls {@code half} when half of them are accepted, and goes on after the restart. */
    void send(int port, CountDownLatch half) throws Exception;
  }

  private void shouldSurviveARestart(Numbers client) throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    try (BrokerProcess first = BrokerProcess.serving(dir)) {
      int port = first.amqpPort();
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client.send(port, half);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(half.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("half of them").isTrue();
      assertThat(first.terminate()).isZero();
      try (BrokerProcess second =
          BrokerProcess.serving(dir, "--set", "listeners.amqp.port=" + port)) {
        sending.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(received(second))
            .containsSubsequence(IntStream.range(0, COUNT).boxed().toList());
      }
    }
  }

  private static List<Integer> received(BrokerProcess broker) throws Exception {
    List<Integer> numbers = new ArrayList<>();
    ReceiverOptions options = new ReceiverOptions().creditWindow(0);
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort());
        Receiver receiver = connection.openReceiver("numbers", options)) {
      receiver.addCredit(10 * COUNT).drain().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      for (Delivery d = receiver.tryReceive(); d != null; d = receiver.tryReceive()) {
        Object body = WholeMessage.of(d).body();
        numbers.add(body instanceof Number n ? n.intValue() : Integer.valueOf(body.toString()));
      }
    }
    return numbers;
  }

  @Test
  void shouldCarryProtonPythonOverARestart() throws Exception {
    shouldSurviveARestart(
        (port, half) -> script(ScriptClient.protonPython().beside("reconnect.py"), port, half));
  }

  @Test
  void shouldCarryRheaOverARestart() throws Exception {
    shouldSurviveARestart(
        (port, half) -> script(ScriptClient.rhea().beside("reconnect.js"), port, half));
  }

  @Test
  void shouldCarryProtonCppOverARestart(@TempDir Path program) throws Exception {
    CppClient client = CppClient.compiled(program);
    List<String> command = List.of(client.command().get(0), "reconnect");
    shouldSurviveARestart((port, half) -> script(command, port, half));
  }

  private static void script(List<String> command, int port, CountDownLatch half) throws Exception {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("127.0.0.1:" + port, "numbers", String.valueOf(COUNT)));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        if (line.equals("half")) {
          half.countDown();
        }
      }
    }
    assertThat(process.waitFor()).as("%s", output).isZero();
  }

  @Test
  void shouldCarryProtonj2OverARestart() throws Exception {
    shouldSurviveARestart(
        (port, half) -> {
          CountDownLatch interrupted = new CountDownLatch(1);
          ConnectionOptions options = new ConnectionOptions().reconnectEnabled(true);
          options.interruptedHandler((connection, event) -> interrupted.countDown());
          try (Client client = Client.create();
              Connection connection = client.connect("127.0.0.1", port, options);
              Sender sender = connection.openSender("numbers")) {
            for (int i = 0; i < COUNT; i++) {
              if (i == COUNT / 2) {
                half.countDown();
                assertThat(interrupted.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
              }
              sendUntilAccepted(sender, i);
            }
          }
        });
  }

  private static void sendUntilAccepted(Sender sender, int number) {
    boolean accepted = false;
    for (int attempt = 0; attempt < 100 && !accepted; attempt++) {
      try {
        sender.send(Message.create(number)).awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
        accepted = true;
      } catch (ClientException e) {
        System.out.println("once more: " + e.getMessage());
      }
    }
    assertThat(accepted).as("number %d", number).isTrue();
  }

  @Test
  void shouldCarryQpidJmsOverARestart() throws Exception {
    shouldSurviveARestart(
        (port, half) -> {
          String url = "failover:(amqp://127.0.0.1:%d)?failover.reconnectDelay=100".formatted(port);
          try (jakarta.jms.Connection connection =
                  new JmsConnectionFactory(url).createConnection();
              Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
              MessageProducer producer = session.createProducer(session.createQueue("numbers"))) {
            for (int i = 0; i < COUNT; i++) {
              if (i == COUNT / 2) {
                half.countDown();
              }
              sendUntilAccepted(session, producer, i);
            }
          }
        });
  }

  private static void sendUntilAccepted(Session session, MessageProducer producer, int number)
      throws JMSException {
    boolean accepted = false;
    for (int attempt = 0; attempt < 100 && !accepted; attempt++) {
      try {
        producer.send(session.createTextMessage(String.valueOf(number)));
        accepted = true;
      } catch (JMSException e) {
        System.out.println("once more: " + e.getMessage());
      }
    }
    assertThat(accepted).as("number %d", number).isTrue();
  }
}
