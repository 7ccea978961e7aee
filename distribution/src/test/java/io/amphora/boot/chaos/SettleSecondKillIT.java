package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the broker while receivers with rcv-settle-mode second work: what the broker settled never
 * comes again to the group, and a failure that it said it counted stays counted. Lives: {@code
 * -Dchaos.lives} (6); seed of the moments: {@code -Dchaos.seed} (printed).
 */
@Tag("chaos")
class SettleSecondKillIT {

  private static final String TOPIC = "second";

  @Test
  void shouldNotTakeBackWhatItSettled(@TempDir Path dir) throws Exception {
    int lives = Integer.getInteger("chaos.lives", 6);
    long seed = Long.getLong("chaos.seed", System.nanoTime());
    System.out.println("-Dchaos.lives=" + lives + " -Dchaos.seed=" + seed);
    Random random = new Random(seed);
    List<SecondConsumer> consumers =
        List.of(new SecondConsumer(TOPIC), new SecondConsumer(TOPIC + "::ordered"));
    try (Client client = Client.create()) {
      Publisher publisher = new Publisher(SenderKind.KEYED, TOPIC, new Sent());
      for (int life = 0; life < lives; life++) {
        try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"))) {
          if (life == 0) {
            broker.command("topic", "create", TOPIC, "--partitions", "2");
          }
          List<Runnable> clients = new ArrayList<>();
          consumers.forEach(consumer -> clients.add(consumer.on(broker.amqpPort())));
          clients.add(() -> send(client, broker.amqpPort(), publisher));
          runUntilKilled(broker, clients, 800 + random.nextInt(1200));
        }
        for (SecondConsumer consumer : consumers) {
          assertThat(consumer.contradictions).as("life %d", life).isEmpty();
        }
      }
    }
    for (SecondConsumer consumer : consumers) {
      System.out.println(consumer.done.size() + " done, " + consumer.counted.size() + " failed");
      assertThat(consumer.done).hasSizeGreaterThan(50);
      assertThat(consumer.counted).isNotEmpty();
    }
  }

  private static void send(Client client, int port, Publisher publisher) {
    try (Connection connection = client.connect("127.0.0.1", port)) {
      publisher.run(connection, port, new Random(0));
    } catch (ClientException | ExecutionException e) {
      // The broker was killed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void runUntilKilled(BrokerProcess broker, List<Runnable> clients, int millis)
      throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (Runnable client : clients) {
      Thread thread = new Thread(client, client.getClass().getSimpleName());
      thread.setUncaughtExceptionHandler((dead, failure) -> failures.add(failure));
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    TimeUnit.MILLISECONDS.sleep(millis);
    broker.kill();
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).as("client noticed that the broker is gone").isFalse();
    }
    assertThat(failures).as("a client met something else than the kill").isEmpty();
  }
}
