package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.fuzz.Mutator;
import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.wal.FuzzRun;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged transcripts over sockets, while a client of the same listener goes on working. */
@Tag("fuzz")
class ListenerFuzzTest {

  private static final int ROUNDS = 100;

  @Test
  @Timeout(600)
  void shouldServeOthersAndForgetBadClients() throws Exception {
    long[] sent = new long[1];
    ServerRig rig = new ServerRig();
    rig.broker.withTopic("w", 1).withTopic("t", 2);
    try (RawClient witness = witness(rig.port)) {
      FuzzRun.run(
          "listener",
          1,
          ROUNDS,
          random -> {
            attack(rig.port, random);
            exchange(witness, sent[0]++);
          });
    } finally {
      rig.close();
    }
    assertThat(rig.figure("amqp.connections")).isZero();
    assertThat(rig.figure("amqp.links")).isZero();
    assertThat(rig.figure("amqp.memory.held")).isZero();
    assertThat(rig.broker.memberCount()).isZero();
  }

  private static RawClient witness(int port) throws IOException {
    RawClient client = new RawClient(port);
    client.send(Wire.AMQP, Wire.open(), Wire.begin(0));
    client.send(Wire.sender(0, 0, "out", Wire.target("w")));
    client.send(Wire.receiver(0, 1, "in", Wire.source("w")));
    client.send(Wire.flow(1, 0L, 100, false, false));
    client.until(RawFrame.BEGIN);
    return client;
  }

  /** Sends one message and waits until it was accepted and came back. */
  private static void exchange(RawClient witness, long id) throws IOException {
    witness.send(Wire.transfer(0, id, Wire.message("w")));
    boolean accepted = false;
    boolean delivered = false;
    while (!accepted || !delivered) {
      RawFrame frame = witness.next();
      accepted |= frame.code() == RawFrame.DISPOSITION && frame.uint(1) == (int) id;
      delivered |= frame.code() == RawFrame.TRANSFER && frame.uint(1) == (int) id;
    }
    witness.send(Wire.disposition(true, (int) id, null, true, Wire.accepted()));
    witness.send(Wire.flow(1, id + 1, 100, false, false));
  }

  private static void attack(int port, Random random) throws IOException {
    try (RawClient attacker = new RawClient(port)) {
      attacker.send(new Mutator(random).mutated());
      attacker.hangUp();
    } catch (SocketException e) {
      assertThat(List.of("Broken pipe", "Connection reset")).contains(e.getMessage());
    }
  }
}
