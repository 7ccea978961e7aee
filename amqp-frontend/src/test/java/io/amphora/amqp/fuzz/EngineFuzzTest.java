package io.amphora.amqp.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.wal.FuzzRun;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damaged transcripts against one connection while another one on the same broker works. Whatever
 * comes: no failure inside of the engine, an end within the idle time-out, nothing left behind.
 */
@Tag("fuzz")
class EngineFuzzTest {

  private static final long LONG_SILENCE_NANOS = 200_000_000_000L;
  private static final int ROUNDS = 1000;

  @Test
  void shouldSurviveDamagedTranscripts() {
    FuzzRun.run("engine", 1, ROUNDS, this::round);
  }

  private void round(Random random) {
    EngineRig witness = new EngineRig();
    witness.broker.withTopic("t", 2).withTopic("w", 1);
    witness.opened();
    witness.send(Wire.sender(0, 0, "out", Wire.target("w")));
    witness.send(Wire.receiver(0, 1, "in", Wire.source("w")));
    witness.send(Wire.flow(1, 0L, 100, false, false));
    EngineRig victim = new EngineRig(witness);
    feed(victim, random);
    assertServed(witness, 0);
    witness.send(Wire.frame(0, 0, new byte[0], new byte[0]));
    assertEnds(victim, random.nextBoolean());
    assertThat(victim.linkCount).as("links").isZero();
    assertThat(victim.pendingBytes).as("bytes given to the core").isZero();
    assertThat(victim.memory.held()).as("memory held").isZero();
    assertThat(victim.broker.memberCount()).as("members of groups").isEqualTo(1);
    assertThat(victim.loop.timers()).as("timers").isLessThan(3);
    EngineRig next = new EngineRig(witness).opened();
    assertThat(next.send(Wire.sender(0, 0, "l", Wire.target("w")))).isNotEmpty();
  }

  private static void feed(EngineRig victim, Random random) {
    byte[] bytes = new Mutator(random).mutated();
    int at = 0;
    while (at < bytes.length) {
      int count =
          Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 50 : 70_000));
      byte[] some = new byte[count];
      System.arraycopy(bytes, at, some, 0, count);
      check(victim.sendRaw(some));
      at += count;
      if (victim.pendingCheck != null) {
        victim.pendingCheck.accept(CredentialCheck.Verdict.OK);
        victim.pendingCheck = null;
        victim.loop.runAll();
        check(victim.take());
      }
    }
  }

  /** What we say is well formed, and not that we failed. */
  private static void check(byte[] output) {
    for (RawFrame frame : RawFrame.parse(output)) {
      if (frame.code() == RawFrame.CLOSE) {
        assertThat(frame.condition(0)).isNotEqualTo("amqp:internal-error");
      }
    }
  }

  /** The peer hangs up, or says nothing more. */
  private static void assertEnds(EngineRig victim, boolean hangsUp) {
    if (hangsUp) {
      victim.engine.lost();
      victim.loop.runAll();
      return;
    }
    victim.advance(LONG_SILENCE_NANOS);
    assertThat(victim.engine.isEnding() || victim.engine.peerClosed())
        .as("a silent connection is ended")
        .isTrue();
    victim.engine.lost();
    victim.loop.runAll();
  }

  private static void assertServed(EngineRig witness, long id) {
    List<RawFrame> frames = witness.send(Wire.transfer(0, id, Wire.message("w")));
    assertThat(frames.stream().map(RawFrame::code))
        .as("another connection goes on")
        .contains(RawFrame.DISPOSITION, RawFrame.TRANSFER);
    assertThat(witness.broker.group(SubscribeRequest.queueOf("w")).inFlight()).isPositive();
  }
}
