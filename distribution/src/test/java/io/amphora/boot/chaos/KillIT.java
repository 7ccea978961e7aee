package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.amphora.boot.it.BrokerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the broker at random moments while two clients publish and two consume. Rounds: {@code
 * -Dchaos.rounds} (20); seed of the moments: {@code -Dchaos.seed} (printed).
 */
@Tag("chaos")
class KillIT {

  private static final String TOPIC = "chaos";
  private static final int PARTITIONS = 4;
  private static final String QUEUE = TOPIC + "::$queue";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Client client = Client.create();
  private final Map<Integer, Long> committed = new HashMap<>();

  @Test
  void shouldKeepWhatItAcceptedThroughKills(@TempDir Path dir) throws Exception {
    int rounds = Integer.getInteger("chaos.rounds", 20);
    long seed = Long.getLong("chaos.seed", System.nanoTime());
    System.out.println("-Dchaos.rounds=" + rounds + " -Dchaos.seed=" + seed);
    Random random = new Random(seed);
    List<Publisher> publishers =
        List.of(new Publisher(0, TOPIC, client), new Publisher(1, TOPIC, client));
    List<Consumer> consumers =
        List.of(new Consumer(TOPIC, client, 0), new Consumer(TOPIC, client, 0));
    for (int round = 0; round < rounds; round++) {
      try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"))) {
        if (round == 0) {
          createTopic(broker);
        }
        checkPositionsWereKept(broker);
        runRound(broker, publishers, consumers, 300 + random.nextInt(1500));
      }
      checkNothingBelowCommitted(consumers);
    }
    try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"))) {
      audit(broker, publishers, consumers);
    }
  }

  private void runRound(
      BrokerProcess broker, List<Publisher> publishers, List<Consumer> consumers, int millis)
      throws Exception {
    List<Thread> threads = new ArrayList<>();
    consumers.forEach(c -> threads.add(new Thread(c.on(broker.amqpPort()), "consumer")));
    publishers.forEach(p -> threads.add(new Thread(p.on(broker.amqpPort()), "publisher")));
    consumers.forEach(c -> c.received.clear());
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    threads.forEach(t -> t.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure)));
    threads.forEach(Thread::start);
    TimeUnit.MILLISECONDS.sleep(millis);
    Map<Integer, Long> seen = positions(broker);
    TimeUnit.MILLISECONDS.sleep(millis % 97);
    broker.kill();
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).as("client noticed that the broker is gone").isFalse();
    }
    assertThat(failures).as("a client met something else than the kill").isEmpty();
    for (Consumer consumer : consumers) {
      assertThat(consumer.damaged).isEmpty();
    }
    checkNothingBelowCommitted(consumers);
    committed.putAll(seen);
  }

  /** What REST once showed as committed was journaled: it is never delivered to the queue again. */
  private void checkNothingBelowCommitted(List<Consumer> consumers) {
    for (Consumer consumer : consumers) {
      for (Consumer.Received r : consumer.received) {
        assertThat(r.offset())
            .as("partition %d", r.partition())
            .isGreaterThanOrEqualTo(committed.getOrDefault(r.partition(), 0L));
      }
      consumer.received.clear();
    }
  }

  private void checkPositionsWereKept(BrokerProcess broker) throws Exception {
    Map<Integer, Long> now = positions(broker);
    committed.forEach(
        (partition, offset) ->
            assertThat(now.getOrDefault(partition, 0L))
                .as("committed of partition %d", partition)
                .isGreaterThanOrEqualTo(offset));
  }

  private void audit(BrokerProcess broker, List<Publisher> publishers, List<Consumer> consumers) {
    Consumer everything = new Consumer(TOPIC + "::audit", client, 5_000).on(broker.amqpPort());
    everything.run();
    Consumer rest = new Consumer(TOPIC, client, 3_000).on(broker.amqpPort());
    rest.run();

    Set<Payload> accepted = new HashSet<>();
    Set<Payload> possible = new HashSet<>();
    publishers.forEach(p -> accepted.addAll(p.accepted));
    publishers.forEach(p -> possible.addAll(p.unknown));
    possible.addAll(accepted);
    System.out.println(accepted.size() + " accepted, " + everything.received.size() + " stored");

    assertThat(accepted).hasSizeGreaterThan(100);
    assertThat(everything.damaged).isEmpty();
    assertThat(without(accepted, everything.payloads)).as("accepted and lost").isEmpty();
    assertThat(without(everything.payloads, possible)).as("never sent").isEmpty();
    assertThat(everything.received.size()).isEqualTo(everything.payloads.size());
    checkOrder(everything.received);

    Set<Payload> consumed = new HashSet<>(rest.payloads);
    consumers.forEach(c -> consumed.addAll(c.payloads));
    assertThat(without(accepted, consumed)).as("accepted, never on the queue").isEmpty();
  }

  /** AssertJ's own comparison of sets is quadratic: too slow for some hundred thousand. */
  private static Set<Payload> without(Set<Payload> all, Set<Payload> some) {
    Set<Payload> rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static void checkOrder(List<Consumer.Received> all) {
    Map<Integer, Long> lastOffset = new HashMap<>();
    Map<String, Integer> lastSequence = new HashMap<>();
    for (Consumer.Received r : all) {
      Long before = lastOffset.put(r.partition(), r.offset());
      assertThat(before == null || before < r.offset()).as("offsets grow: %s", r).isTrue();
      Integer sequence = lastSequence.put(r.payload().key(), r.payload().sequence());
      assertThat(sequence == null || sequence < r.payload().sequence())
          .as("order per key: %s", r)
          .isTrue();
    }
  }

  private void createTopic(BrokerProcess broker) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(broker, "/api/v1/topics/" + TOPIC))
            .header("content-type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString("{\"partitions\":" + PARTITIONS + "}"))
            .build();
    assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(201);
  }

  /** Committed offset per partition of the queue, as the admin API shows it. */
  private Map<Integer, Long> positions(BrokerProcess broker) throws Exception {
    URI uri = uri(broker, "/api/v1/groups/" + QUEUE.replace("$", "%24"));
    HttpResponse<String> response =
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    Map<Integer, Long> result = new HashMap<>();
    if (response.statusCode() == 404) {
      return result;
    }
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    JsonNode group = new ObjectMapper().readTree(response.body());
    for (JsonNode position : group.get("positions")) {
      if (!position.get("committed").isNull()) {
        result.put(position.get("partition").asInt(), position.get("committed").asLong());
      }
    }
    return result;
  }

  private static URI uri(BrokerProcess broker, String path) {
    return URI.create("http://127.0.0.1:" + broker.httpPort() + path);
  }
}
