package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the broker at random moments while clients of two kinds move messages from A to B and C in
 * transactions, until so many have committed. In the end each message is exactly once in B and
 * exactly once in C, or still in A. Transactions: {@code -Dchaos.transactions} (200); seed: {@code
 * -Dchaos.seed} (printed). A seed repeats the choices, not the timing.
 */
@Tag("chaos")
class TransactionKillIT {

  private static final int FEWEST_MILLIS = 30;
  private static final int MOST_MILLIS = 1_200;

  private final AtomicInteger committed = new AtomicInteger();

  @Test
  void shouldApplyEachTransactionOnceOrNotAtAll(@TempDir Path dir) throws Exception {
    int wanted = Integer.getInteger("chaos.transactions", 200);
    int messages = wanted + wanted / 4;
    long seed = Long.getLong("chaos.seed", System.nanoTime());
    System.out.println("-Dchaos.transactions=" + wanted + " -Dchaos.seed=" + seed);
    Random random = new Random(seed);
    Path data = dir.resolve("data");
    publish(data, messages);
    int kills = 0;
    while (committed.get() < wanted) {
      try (BrokerProcess broker = BrokerProcess.serving(data)) {
        int least = committed.get() + 1 + random.nextInt(Math.max(1, wanted / 20));
        live(broker, random, Math.min(least, wanted));
        broker.kill();
        kills++;
      }
    }
    try (BrokerProcess broker = BrokerProcess.serving(data)) {
      check(broker, messages, kills);
    }
  }

  private static void publish(Path data, int messages) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(data);
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      broker.command("topic", "create", "a", "--partitions", "2");
      broker.command("topic", "create", "b", "--partitions", "3");
      broker.command("topic", "create", "c");
      var sender = connection.openSender("a");
      for (int i = 0; i < messages; i++) {
        Message<String> message = Message.create("m" + i);
        message.annotation("x-opt-partition-key", "k" + i % 7);
        sender.send(message).awaitSettlement(20, TimeUnit.SECONDS);
      }
      broker.terminate();
    }
  }

  /** Clients work until so many have committed and a little longer; then comes the kill. */
  private void live(BrokerProcess broker, Random random, int least) throws Exception {
    List<TransactionMover> movers =
        List.of(
            new ProtonMover(broker.amqpPort(), committed),
            new ProtonMover(broker.amqpPort(), committed),
            new JmsMover(broker.amqpPort(), committed));
    List<Thread> threads = new ArrayList<>();
    movers.forEach(mover -> threads.add(new Thread(mover, mover.getClass().getSimpleName())));
    threads.forEach(Thread::start);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (committed.get() < least && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(FEWEST_MILLIS + random.nextInt(MOST_MILLIS));
    broker.kill();
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).as("client noticed that the broker is gone").isFalse();
    }
    for (TransactionMover mover : movers) {
      assertThat(mover.surprise()).as("a client met something else than the kill").isNull();
    }
  }

  private void check(BrokerProcess broker, int messages, int kills) throws Exception {
    TreeMap<String, Integer> left = all(broker, "a");
    TreeMap<String, Integer> inB = all(broker, "b");
    TreeMap<String, Integer> inC = all(broker, "c");
    System.out.printf(
        "%d kills, %d commits heard of; %d left in A, %d in B, %d in C%n",
        kills, committed.get(), left.size(), inB.size(), inC.size());
    TreeSet<String> sent = new TreeSet<>();
    IntStream.range(0, messages).forEach(i -> sent.add("m" + i));
    assertThat(inB).as("the same in B as in C").isEqualTo(inC);
    assertThat(inB.values()).as("each once").allMatch(count -> count == 1);
    assertThat(left.values()).allMatch(count -> count == 1);
    assertThat(left.keySet()).as("either moved or not").doesNotContainAnyElementsOf(inB.keySet());
    TreeSet<String> found = new TreeSet<>(left.keySet());
    found.addAll(inB.keySet());
    assertThat(found).as("none lost").isEqualTo(sent);
    assertThat(inB.size())
        .as("what was said to be committed is")
        .isGreaterThanOrEqualTo(committed.get());
  }

  /** Takes everything out of a queue; how often each text came. */
  private static TreeMap<String, Integer> all(BrokerProcess broker, String topic)
      throws ClientException {
    TreeMap<String, Integer> found = new TreeMap<>();
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      Receiver receiver = connection.openReceiver(topic, new ReceiverOptions().creditWindow(0));
      receiver.addCredit(1_000_000);
      for (Delivery next = receiver.receive(5, TimeUnit.SECONDS);
          next != null;
          next = receiver.receive(2, TimeUnit.SECONDS)) {
        found.merge(String.valueOf((Object) next.message().body()), 1, Integer::sum);
      }
    }
    return found;
  }
}
