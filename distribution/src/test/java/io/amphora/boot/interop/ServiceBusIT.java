package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Azure's Service Bus client for Java, told that this is the emulator: the basics of a queue. */
@Tag("interop")
class ServiceBusIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(2);

  @TempDir static Path dir;
  private static BrokerProcess broker;

  private final String queue = "queue-" + UUID.randomUUID();

  @BeforeAll
  static void startBroker() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static ServiceBusClientBuilder builder() {
    return new ServiceBusClientBuilder()
        .connectionString(AzureSdk.emulator(broker))
        .retryOptions(AzureSdk.retries());
  }

  private void send(int count) {
    try (ServiceBusSenderClient sender = builder().sender().queueName(queue).buildClient()) {
      sender.sendMessage(message(0));
      sender.sendMessages(IntStream.range(1, count).mapToObj(ServiceBusIT::message).toList());
    }
  }

  private static ServiceBusMessage message(int number) {
    ServiceBusMessage message = new ServiceBusMessage("m" + number).setMessageId("id-" + number);
    message.getApplicationProperties().put("number", number);
    return message;
  }

  private ServiceBusReceiverClient receiver(ServiceBusReceiveMode mode) {
    return builder()
        .receiver()
        .queueName(queue)
        .receiveMode(mode)
        .maxAutoLockRenewDuration(Duration.ZERO)
        .disableAutoComplete()
        .buildClient();
  }

  private static List<ServiceBusReceivedMessage> receive(
      ServiceBusReceiverClient receiver, int count) {
    List<ServiceBusReceivedMessage> all = new ArrayList<>();
    while (all.size() < count) {
      int before = all.size();
      receiver.receiveMessages(count - before, PATIENCE).forEach(all::add);
      assertThat(all).as("after %d", before).hasSizeGreaterThan(before);
    }
    return all;
  }

  private static List<String> bodies(List<ServiceBusReceivedMessage> messages) {
    return messages.stream().map(message -> message.getBody().toString()).toList();
  }

  @Test
  void shouldCompleteWhatIsLocked() {
    send(5);
    try (ServiceBusReceiverClient receiver = receiver(ServiceBusReceiveMode.PEEK_LOCK)) {
      List<ServiceBusReceivedMessage> all = receive(receiver, 5);
      assertThat(bodies(all)).containsExactly("m0", "m1", "m2", "m3", "m4");
      assertThat(all.get(3).getMessageId()).isEqualTo("id-3");
      assertThat(all.get(3).getApplicationProperties()).containsEntry("number", 3);
      assertThat(all).extracting(ServiceBusReceivedMessage::getLockToken).doesNotHaveDuplicates();
      all.forEach(receiver::complete);
    }
    assertThat(left()).isEmpty();
  }

  private List<String> left() {
    try (ServiceBusReceiverClient receiver = receiver(ServiceBusReceiveMode.RECEIVE_AND_DELETE)) {
      List<ServiceBusReceivedMessage> all = new ArrayList<>();
      receiver.receiveMessages(10, SHORT).forEach(all::add);
      return bodies(all);
    }
  }

  @Test
  void shouldDeliverAgainWhatWasAbandonedAndCountIt() {
    send(2);
    try (ServiceBusReceiverClient receiver = receiver(ServiceBusReceiveMode.PEEK_LOCK)) {
      List<ServiceBusReceivedMessage> all = receive(receiver, 2);
      receiver.complete(all.get(1));
      receiver.abandon(all.get(0));
      ServiceBusReceivedMessage again = receive(receiver, 1).get(0);
      assertThat(again.getBody()).hasToString("m0");
      receiver.complete(again);
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void shouldPutAsideWhatIsDeadLettered() {
    send(2);
    try (ServiceBusReceiverClient receiver = receiver(ServiceBusReceiveMode.PEEK_LOCK)) {
      List<ServiceBusReceivedMessage> all = receive(receiver, 2);
      receiver.deadLetter(
          all.get(0),
          new DeadLetterOptions()
              .setDeadLetterReason("broken")
              .setDeadLetterErrorDescription("cannot be read"));
      receiver.complete(all.get(1));
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void shouldReceiveAndDelete() {
    send(3);
    try (ServiceBusReceiverClient receiver = receiver(ServiceBusReceiveMode.RECEIVE_AND_DELETE)) {
      assertThat(bodies(receive(receiver, 3))).containsExactly("m0", "m1", "m2");
    }
    assertThat(left()).isEmpty();
  }
}
