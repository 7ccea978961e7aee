package io.amphora.bench.compare;

import io.amphora.boot.perf.wire.Counts;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads one partition from its beginning with Kafka's own client, on a thread of its own, which
 * writes the counters; the histogram is read after the end. Its position is committed as often as
 * Amphora's {@code positions.interval} does.
 */
final class KafkaReader implements AutoCloseable {

  private final Map<String, Object> settings;
  private final TopicPartition partition;
  private final Runnable onMessage;
  private final AtomicLong received = new AtomicLong();
  private final Histogram latency = Counts.histogram();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread thread;
  private volatile long recordedFrom = Long.MAX_VALUE;
  private volatile boolean stopped;
  private volatile Optional<RuntimeException> failure = Optional.empty();

  KafkaReader(String bootstrap, String topic, Runnable onMessage) {
    this.settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "group.id",
            "bench",
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            true,
            "auto.commit.interval.ms",
            100);
    this.partition = new TopicPartition(topic, 0);
    this.onMessage = onMessage;
    this.thread = new Thread(this::run, "kafka-reader");
    thread.setDaemon(true);
    thread.start();
  }

  void awaitReady() throws InterruptedException {
    ready.await();
  }

  private void run() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      consumer.position(partition);
      ready.countDown();
      while (!stopped) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(100))) {
          take(message.value());
        }
      }
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    } finally {
      ready.countDown();
    }
  }

  private void take(byte[] body) {
    long due = ByteBuffer.wrap(body).getLong();
    if (due >= recordedFrom) {
      latency.recordValue(Math.max(0, System.nanoTime() - due));
    }
    received.lazySet(received.getPlain() + 1);
    onMessage.run();
  }

  long received() {
    failure.ifPresent(
        error -> {
          throw new IllegalStateException(error);
        });
    return received.get();
  }

  void recordFrom(long nanos) {
    recordedFrom = nanos;
  }

  Histogram latency() {
    return latency;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
