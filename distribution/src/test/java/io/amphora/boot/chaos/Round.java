package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** One life of the broker: links work, then it is killed. Owned by the thread of the test. */
final class Round {

  private static final int MOST_CONNECTIONS = 5;
  private static final long JOIN_MILLIS = 20_000;

  private final BrokerProcess broker;
  private final Random random;
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean killed;

  Round(BrokerProcess broker, Random random) {
    this.broker = broker;
    this.random = random;
  }

  /** Sets links to work, several on each connection. */
  void start(Client client, List<ChaosLink> links) throws ClientException {
    int count = 1 + random.nextInt(MOST_CONNECTIONS);
    for (int i = 0; i < count; i++) {
      connections.add(client.connect("127.0.0.1", broker.amqpPort()));
    }
    for (ChaosLink link : links) {
      Connection connection = connections.get(random.nextInt(count));
      Random own = new Random(random.nextLong());
      threads.add(new Thread(() -> run(link, connection, own), link.name()));
    }
    threads.forEach(Thread::start);
  }

  private void run(ChaosLink link, Connection connection, Random own) {
    try {
      link.run(connection, broker.amqpPort(), own);
    } catch (IllegalStateException e) {
      failures.add(new AssertionError(link.name(), e));
    } catch (Exception e) {
      if (!killed) {
        failures.add(new AssertionError(link.name() + " broke before the kill", e));
      }
    }
  }

  /** This client misses, rarely, that its connection broke while it waits for an attach. */
  private static void join(Thread thread) throws InterruptedException {
    thread.join(JOIN_MILLIS);
    if (thread.isAlive()) {
      System.out.println(thread.getName() + " hangs in " + List.of(thread.getStackTrace()));
      thread.interrupt();
      thread.join(JOIN_MILLIS);
      assertThat(thread.isAlive()).as("%s noticed the kill", thread.getName()).isFalse();
    }
  }

  /** Kills the broker and waits for the links to end. */
  void kill() throws Exception {
    killed = true;
    broker.kill();
    for (Thread thread : threads) {
      join(thread);
    }
    connections.forEach(Connection::close);
    for (Throwable failure : failures) {
      throw new AssertionError(failures.size() + " links failed; the broker:\n" + broker, failure);
    }
  }
}
