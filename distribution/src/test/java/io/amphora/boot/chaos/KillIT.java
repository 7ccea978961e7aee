package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.ClientOptions;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Receiver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the broker at random moments while links of every kind work. After each batch of rounds
 * everything is compared; then the topics are made anew, which bounds the disk and the memory of
 * this test. Rounds: {@code -Dchaos.rounds} (20); seed: {@code -Dchaos.seed} (printed). A seed
 * repeats the choices, not the timing.
 */
@Tag("chaos")
class KillIT {

  private static final int BATCH = 10;
  private static final int LONGEST_MILLIS = 1_500;
  private static final long MOST_BYTES = 1L << 30;

  private final Client client = Client.create(new ClientOptions().id(Cast.CONTAINER));
  private final Cast cast = new Cast();

  @Test
  void shouldKeepWhatItAcceptedThroughKills(@TempDir Path dir) throws Exception {
    int rounds = Integer.getInteger("chaos.rounds", 20);
    long seed = Long.getLong("chaos.seed", System.nanoTime());
    System.out.println("-Dchaos.rounds=" + rounds + " -Dchaos.seed=" + seed);
    Path data = dir.resolve("data");
    Random random = new Random(seed);
    int inBatch = 0;
    betweenBatches(data, 0, 0);
    for (int round = 1; round <= rounds; round++) {
      round(data, random);
      inBatch++;
      if (inBatch == BATCH || round == rounds) {
        betweenBatches(data, inBatch, round);
        inBatch = 0;
      }
    }
  }

  private void round(Path data, Random random) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(data)) {
      Audit audit = new Audit(cast, broker);
      audit.afterStart();
      Round round = new Round(broker, random);
      round.start(client, cast.choose(random));
      TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_MILLIS));
      audit.readPositions();
      TimeUnit.MILLISECONDS.sleep(random.nextInt(150));
      round.kill();
    }
  }

  /** Ends with a kill too: what was deleted stays deleted. */
  private void betweenBatches(Path data, int inBatch, int round) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(data)) {
      Audit audit = new Audit(cast, broker);
      if (round > 0) {
        audit.afterStart();
        String sums = audit.everything(client, broker, inBatch);
        System.out.printf(
            "round %d: %s; %d MiB of disk, %d MiB of memory%n",
            round, sums, bytes(data) >> 20, memory() >> 20);
        assertThat(bytes(data)).isLessThan(MOST_BYTES);
      }
      audit.startAnew(round == 0);
      subscribe(broker);
      broker.kill();
    }
  }

  /** A durable subscription begins with what comes after it. */
  private void subscribe(BrokerProcess broker) throws Exception {
    Attachment how = cast.durable();
    try (Connection connection = client.connect("127.0.0.1", broker.amqpPort());
        Receiver receiver = connection.openReceiver(how.address(), how.options())) {
      receiver.openFuture().get();
      receiver.detach();
    }
  }

  private static long bytes(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files.mapToLong(KillIT::size).sum();
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long memory() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
