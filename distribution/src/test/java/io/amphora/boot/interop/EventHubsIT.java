package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.eventhubs.EventData;
import com.azure.messaging.eventhubs.EventDataBatch;
import com.azure.messaging.eventhubs.EventHubClientBuilder;
import com.azure.messaging.eventhubs.EventHubConsumerAsyncClient;
import com.azure.messaging.eventhubs.EventHubConsumerClient;
import com.azure.messaging.eventhubs.EventHubProducerClient;
import com.azure.messaging.eventhubs.EventHubProperties;
import com.azure.messaging.eventhubs.PartitionProperties;
import com.azure.messaging.eventhubs.models.CreateBatchOptions;
import com.azure.messaging.eventhubs.models.EventPosition;
import com.azure.messaging.eventhubs.models.PartitionEvent;
import com.azure.messaging.eventhubs.models.ReceiveOptions;
import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;

/** Azure's Event Hubs client for Java, told that this is the emulator. */
@Tag("interop")
class EventHubsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String GROUP = "$Default";

  @TempDir static Path dir;
  private static BrokerProcess broker;

  private final String hub = "hub-" + UUID.randomUUID();

  @BeforeAll
  static void startBroker() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void createHub() throws Exception {
    AzureSdk.createTopic(broker, hub, 2);
  }

  private EventHubClientBuilder builder() {
    return new EventHubClientBuilder()
        .connectionString(AzureSdk.emulator(broker), hub)
        .retryOptions(AzureSdk.retries())
        .consumerGroup(GROUP);
  }

  private void send(CreateBatchOptions options, int from, int to) {
    try (EventHubProducerClient producer = builder().buildProducerClient()) {
      EventDataBatch batch = producer.createBatch(options);
      for (int i = from; i < to; i++) {
        EventData event = new EventData("event " + i);
        event.getProperties().put("number", i);
        assertThat(batch.tryAdd(event)).isTrue();
      }
      producer.send(batch);
    }
  }

  private static CreateBatchOptions toPartition(String id) {
    return new CreateBatchOptions().setPartitionId(id);
  }

  private static List<PartitionEvent> read(
      EventHubConsumerClient consumer, String partition, int count, EventPosition from) {
    List<PartitionEvent> events = new ArrayList<>();
    consumer.receiveFromPartition(partition, count, from, PATIENCE).forEach(events::add);
    return events;
  }

  private static List<String> bodies(List<PartitionEvent> events) {
    return events.stream().map(event -> event.getData().getBodyAsString()).toList();
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }

  @Test
  void shouldTellHubAndPartitions() {
    try (EventHubProducerClient producer = builder().buildProducerClient()) {
      EventHubProperties properties = producer.getEventHubProperties();
      assertThat(properties.getName()).isEqualTo(hub);
      assertThat(properties.getPartitionIds()).containsExactly("0", "1");
      assertThat(properties.getCreatedAt()).isAfter(Instant.now().minus(Duration.ofHours(1)));
      PartitionProperties empty = producer.getPartitionProperties("1");
      assertThat(empty.isEmpty()).isTrue();
      assertThat(empty.getLastEnqueuedSequenceNumber()).isEqualTo(-1);
      send(toPartition("1"), 0, 3);
      PartitionProperties filled = producer.getPartitionProperties("1");
      assertThat(filled.isEmpty()).isFalse();
      assertThat(filled.getEventHubName()).isEqualTo(hub);
      assertThat(filled.getId()).isEqualTo("1");
      long last = filled.getLastEnqueuedSequenceNumber();
      assertThat(last - filled.getBeginningSequenceNumber()).isEqualTo(2);
      assertThat(filled.getLastEnqueuedOffset()).isEqualTo(String.valueOf(last));
      assertThat(filled.getLastEnqueuedTime()).isAfter(Instant.now().minus(Duration.ofHours(1)));
    }
  }

  @Test
  void shouldReadBatchesFromEveryKindOfPosition() {
    send(toPartition("0"), 0, 10);
    try (EventHubConsumerClient consumer = builder().buildConsumerClient()) {
      List<PartitionEvent> all = read(consumer, "0", 10, EventPosition.earliest());
      assertThat(bodies(all)).isEqualTo(numbers(0, 10));
      assertThat(all.get(7).getData().getProperties()).containsEntry("number", 7);
      EventData sixth = all.get(6).getData();
      assertThat(bodies(read(consumer, "0", 3, EventPosition.fromOffset(sixth.getOffset()))))
          .isEqualTo(numbers(7, 10));
      assertThat(
              bodies(
                  read(
                      consumer,
                      "0",
                      4,
                      EventPosition.fromSequenceNumber(sixth.getSequenceNumber(), true))))
          .isEqualTo(numbers(6, 10));
      assertThat(
              bodies(
                  read(
                      consumer,
                      "0",
                      10,
                      EventPosition.fromEnqueuedTime(
                          all.get(0).getData().getEnqueuedTime().minusSeconds(1)))))
          .isEqualTo(numbers(0, 10));
    }
  }

  @Test
  void shouldKeepTheEventsOfAKeyTogether() {
    send(new CreateBatchOptions().setPartitionKey("k"), 0, 5);
    send(new CreateBatchOptions().setPartitionKey("k"), 5, 10);
    try (EventHubConsumerClient consumer = builder().buildConsumerClient()) {
      String partition = consumer.getPartitionProperties("0").isEmpty() ? "1" : "0";
      List<PartitionEvent> all = read(consumer, partition, 10, EventPosition.earliest());
      assertThat(bodies(all)).isEqualTo(numbers(0, 10));
      assertThat(all).allMatch(event -> event.getData().getPartitionKey().equals("k"));
    }
  }

  @Test
  void shouldSendWithoutABatchAndWithoutAPartition() {
    try (EventHubProducerClient producer = builder().buildProducerClient();
        EventHubConsumerClient consumer = builder().buildConsumerClient()) {
      producer.send(List.of(new EventData("event 0"), new EventData("event 1")));
      String partition = consumer.getPartitionProperties("0").isEmpty() ? "1" : "0";
      assertThat(bodies(read(consumer, partition, 2, EventPosition.earliest())))
          .isEqualTo(numbers(0, 2));
    }
  }

  @Test
  void shouldFillBatchesUpToTheAnnouncedSize() {
    try (EventHubProducerClient producer = builder().buildProducerClient();
        EventHubConsumerClient consumer = builder().buildConsumerClient()) {
      EventDataBatch batch = producer.createBatch(toPartition("0"));
      int count = 0;
      while (batch.tryAdd(new EventData(new byte[10_000]))) {
        count++;
      }
      assertThat(batch.getMaxSizeInBytes()).isEqualTo(1 << 20);
      producer.send(batch);
      assertThat(read(consumer, "0", count, EventPosition.earliest())).hasSize(count);
    }
  }

  private static CompletableFuture<Throwable> end(
      EventHubConsumerAsyncClient consumer, long level, CountDownLatch received) {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Disposable unused =
        consumer
            .receiveFromPartition(
                "0", EventPosition.earliest(), new ReceiveOptions().setOwnerLevel(level))
            .subscribe(event -> received.countDown(), ended::complete);
    return ended;
  }

  @Test
  void shouldGiveAPartitionToTheHigherOwnerLevel() throws Exception {
    send(toPartition("0"), 0, 1);
    try (EventHubConsumerAsyncClient first = builder().buildAsyncConsumerClient();
        EventHubConsumerAsyncClient second = builder().buildAsyncConsumerClient();
        EventHubConsumerAsyncClient third = builder().buildAsyncConsumerClient()) {
      CountDownLatch received = new CountDownLatch(1);
      CompletableFuture<Throwable> lower = end(first, 1, received);
      assertThat(received.await(60, TimeUnit.SECONDS)).isTrue();
      CountDownLatch taken = new CountDownLatch(1);
      CompletableFuture<Throwable> higher = end(second, 2, taken);
      assertThat(condition(lower)).isEqualTo(AmqpErrorCondition.LINK_STOLEN);
      assertThat(taken.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(condition(end(third, 1, new CountDownLatch(1))))
          .isEqualTo(AmqpErrorCondition.LINK_STOLEN);
      assertThat(higher).isNotDone();
    }
  }

  private static AmqpErrorCondition condition(CompletableFuture<Throwable> ended) throws Exception {
    Throwable error = ended.get(60, TimeUnit.SECONDS);
    assertThat(error).isInstanceOf(AmqpException.class);
    return ((AmqpException) error).getErrorCondition();
  }

  @Test
  void shouldSayThatAHubIsMissing() {
    try (EventHubConsumerClient consumer =
        new EventHubClientBuilder()
            .connectionString(AzureSdk.emulator(broker), "missing")
            .retryOptions(AzureSdk.retries())
            .consumerGroup(GROUP)
            .buildConsumerClient()) {
      assertThatThrownBy(consumer::getEventHubProperties)
          .hasMessageContaining("'missing' could not be found");
    }
  }
}
