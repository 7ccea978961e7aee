package io.amphora.amqp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Silence on either side, with the clients that take the time-out literally (conventions 2.3). */
class IdleConventionsTest {

  private static final long MILLI = 1_000_000;
  private static final byte[] EMPTY = {0, 0, 0, 8, 2, 0, 0, 0};

  private final EngineRig rig = new EngineRig();

  /** AMQP.NET Lite beats when the whole time is over, Azure's .NET library after 7/8 of it. */
  @ParameterizedTest
  @ValueSource(longs = {60_000, 60_250, 52_500})
  void shouldKeepAClientThatBeatsAtTheFullTimeout(long everyMillis) {
    RawFrame open =
        rig.send(Wire.AMQP, Wire.open()).stream()
            .filter(frame -> frame.code() == RawFrame.OPEN)
            .findFirst()
            .orElseThrow();
    assertThat(open.uint(4)).as("announced").isEqualTo(60_000);
    for (int beat = 0; beat < 20; beat++) {
      assertThat(rig.advance(everyMillis * MILLI)).isEmpty();
      assertThat(rig.send(EMPTY)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 5000, 30_000, 60_000})
  void shouldNeverBeSilentForHalfOfTheClientsTimeout(int idleMillis) {
    rig.send(Wire.AMQP, Wire.open(65536, idleMillis));
    for (int half = 0; half < 10; half++) {
      rig.send(EMPTY);
      assertThat(rig.advance(idleMillis * MILLI / 2))
          .as("within half of %d ms", idleMillis)
          .isNotEmpty()
          .extracting(RawFrame::code)
          .containsOnly(0);
    }
  }

  @Test
  void shouldNotBeatForAClientWithoutTimeout() {
    rig.send(Wire.AMQP, Wire.open(65536, 0));
    assertThat(rig.advance(100_000 * MILLI)).isEmpty();
  }
}
