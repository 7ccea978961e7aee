package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.amqp.AmqpException;
import com.rabbitmq.client.amqp.BackOffDelayPolicy;
import com.rabbitmq.client.amqp.Connection;
import com.rabbitmq.client.amqp.Consumer;
import com.rabbitmq.client.amqp.ConsumerBuilder.StreamOffsetSpecification;
import com.rabbitmq.client.amqp.Environment;
import com.rabbitmq.client.amqp.Management;
import com.rabbitmq.client.amqp.Message;
import com.rabbitmq.client.amqp.Publisher;
import com.rabbitmq.client.amqp.impl.AmqpEnvironmentBuilder;
import io.amphora.boot.it.BrokerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RabbitMQ's AMQP 1.0 client for Java. */
@Tag("interop")
class RabbitJavaIT {

  private static final long PATIENCE = 60;

  @TempDir static Path dir;
  private static BrokerProcess broker;

  private final String queue = "queue " + UUID.randomUUID() + "/ä";
  private Environment environment;
  private Connection connection;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void connect() {
    environment = new AmqpEnvironmentBuilder().build();
    connection = connect(broker.amqpPort());
  }

  private Connection connect(int port) {
    return environment
        .connectionBuilder()
        .host("127.0.0.1")
        .port(port)
        .recovery()
        .backOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofMillis(200)))
        .connectionBuilder()
        .build();
  }

  @AfterEach
  void disconnect() {
    environment.close();
  }

  private static Publisher.Status publish(Publisher publisher, String text) throws Exception {
    CompletableFuture<Publisher.Status> status = new CompletableFuture<>();
    Message message = publisher.message(text.getBytes(StandardCharsets.UTF_8)).messageId(text);
    publisher.publish(message, context -> status.complete(context.status()));
    return status.get(PATIENCE, TimeUnit.SECONDS);
  }

  private void publish(int from, int to) throws Exception {
    try (Publisher publisher = connection.publisherBuilder().queue(queue).build()) {
      for (int i = from; i < to; i++) {
        assertThat(publish(publisher, "m" + i)).isEqualTo(Publisher.Status.ACCEPTED);
      }
    }
  }

  private static String text(Message message) {
    return new String(message.body(), StandardCharsets.UTF_8);
  }

  private static List<String> texts(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
  }

  @Test
  void shouldDeclareDescribePurgeAndDeleteAQueue() throws Exception {
    Management management = connection.management();
    Management.QueueInfo declared =
        management.queue(queue).type(Management.QueueType.QUORUM).declare();
    assertThat(declared.name()).isEqualTo(queue);
    assertThat(declared.type()).isEqualTo(Management.QueueType.QUORUM);
    assertThat(declared.messageCount()).isZero();
    publish(0, 3);
    Management.QueueInfo info = management.queueInfo(queue);
    assertThat(info.messageCount()).isEqualTo(3);
    assertThat(info.consumerCount()).isZero();
    assertThat(info.durable()).isTrue();
    assertThat(info.leader()).isNotEmpty();
    assertThat(info.members()).containsExactly(info.leader());
    assertThat(management.queue(queue).declare().messageCount()).isEqualTo(3);
    assertThat(management.queuePurge(queue).messageCount()).isEqualTo(3);
    assertThat(management.queueInfo(queue).messageCount()).isZero();
    publish(3, 4);
    management.queueDelete(queue);
    assertThatThrownBy(() -> management.queueInfo(queue))
        .isInstanceOf(AmqpException.AmqpEntityDoesNotExistException.class);
  }

  @Test
  void shouldDeleteAnExclusiveQueueWithItsConnection() {
    try (Connection own = connect(broker.amqpPort())) {
      assertThat(own.management().queue(queue).exclusive(true).declare().exclusive()).isTrue();
      assertThat(connection.management().queueInfo(queue).name()).isEqualTo(queue);
    }
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> connection.management().queueInfo(queue))
                    .isInstanceOf(AmqpException.AmqpEntityDoesNotExistException.class));
  }

  @Test
  void shouldSayWhatItDoesNotHave() {
    Management management = connection.management();
    assertThatThrownBy(() -> management.exchange("e").declare())
        .hasMessageContaining("there are no exchanges");
    assertThatThrownBy(() -> management.queue(queue).autoDelete(true).declare())
        .hasMessageContaining("auto_delete is not supported");
    assertThatThrownBy(() -> connection.publisherBuilder().exchange("e").key("k").build())
        .hasMessageContaining("there are no exchanges");
  }

  @Test
  void shouldAcceptRequeueAndDiscard() throws Exception {
    connection.management().queue(queue).declare();
    publish(0, 3);
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch all = new CountDownLatch(4);
    Consumer consumer =
        connection
            .consumerBuilder()
            .queue(queue)
            .initialCredits(1)
            .messageHandler(
                (context, message) -> {
                  String text = text(message);
                  boolean again = seen.contains(text);
                  seen.add(text);
                  if (text.equals("m1") && !again) {
                    context.requeue();
                  } else if (text.equals("m2")) {
                    context.discard();
                  } else {
                    context.accept();
                  }
                  all.countDown();
                })
            .build();
    assertThat(all.await(PATIENCE, TimeUnit.SECONDS)).as("seen %s", seen).isTrue();
    assertThat(seen).containsExactlyInAnyOrder("m0", "m1", "m1", "m2");
    consumer.close();
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () -> assertThat(connection.management().queueInfo(queue).messageCount()).isZero());
  }

  @Test
  void shouldPublishToEachMessagesAddress() throws Exception {
    connection.management().queue(queue).declare();
    try (Publisher publisher = connection.publisherBuilder().build()) {
      CompletableFuture<Publisher.Status> status = new CompletableFuture<>();
      Message message = publisher.message(new byte[] {1}).toAddress().queue(queue).message();
      publisher.publish(message, context -> status.complete(context.status()));
      assertThat(status.get(PATIENCE, TimeUnit.SECONDS)).isEqualTo(Publisher.Status.ACCEPTED);
    }
    assertThat(connection.management().queueInfo(queue).messageCount()).isEqualTo(1);
  }

  @Test
  void shouldReadAStreamFromAnOffset() throws Exception {
    Management.QueueInfo declared = connection.management().queue(queue).stream().queue().declare();
    assertThat(declared.type()).isEqualTo(Management.QueueType.STREAM);
    publish(0, 10);
    for (int round = 0; round < 2; round++) {
      List<String> seen = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch all = new CountDownLatch(10);
      Consumer consumer =
          connection.consumerBuilder().queue(queue).stream()
              .offset(StreamOffsetSpecification.FIRST)
              .builder()
              .messageHandler(
                  (context, message) -> {
                    seen.add(text(message));
                    context.accept();
                    all.countDown();
                  })
              .build();
      assertThat(all.await(PATIENCE, TimeUnit.SECONDS)).as("seen %s", seen).isTrue();
      assertThat(seen).isEqualTo(texts(0, 10));
      consumer.close();
    }
  }

  @Test
  void shouldGoOnAfterARestart(@TempDir Path data) throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch all = new CountDownLatch(10);
    int port;
    try (BrokerProcess first = BrokerProcess.serving(data)) {
      port = first.amqpPort();
      Connection recovering = connect(port);
      recovering.management().queue(queue).declare();
      Publisher publisher = recovering.publisherBuilder().queue(queue).build();
      recovering
          .consumerBuilder()
          .queue(queue)
          .messageHandler(
              (context, message) -> {
                seen.add(text(message));
                context.accept();
                all.countDown();
              })
          .build();
      for (int i = 0; i < 5; i++) {
        assertThat(publish(publisher, "m" + i)).isEqualTo(Publisher.Status.ACCEPTED);
      }
      assertThat(first.terminate()).isZero();
      try (BrokerProcess second =
          BrokerProcess.serving(data, "--set", "listeners.amqp.port=" + port)) {
        for (int i = 5; i < 10; i++) {
          publishUntilAccepted(publisher, "m" + i);
        }
        assertThat(all.await(PATIENCE, TimeUnit.SECONDS)).as("seen %s, %s", seen, second).isTrue();
        assertThat(seen).containsAll(texts(0, 10));
        recovering.close();
      }
    }
  }

  /** While it is away the client refuses to publish. */
  private static void publishUntilAccepted(Publisher publisher, String text) {
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofSeconds(PATIENCE))
        .ignoreExceptions()
        .until(() -> publish(publisher, text) == Publisher.Status.ACCEPTED);
  }
}
