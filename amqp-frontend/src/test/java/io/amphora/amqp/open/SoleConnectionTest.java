package io.amphora.amqp.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that ask to be the only one with their container id (conventions 2.5). */
class SoleConnectionTest {

  private static final Symbol FAILED = Symbol.valueOf("amqp:connection-establishment-failed");

  private final EngineRig first = new EngineRig();

  @BeforeEach
  void topic() {
    first.broker.withTopic("t", 1);
  }

  private static byte[] open(String id, boolean alone) {
    Object[] fields = new Object[10];
    fields[0] = id;
    fields[2] = Wire.u(65536);
    fields[8] = alone ? new Symbol[] {Symbol.valueOf("sole-connection-for-container")} : null;
    return Wire.frame(0, RawFrame.OPEN, fields);
  }

  private static List<Integer> codes(List<RawFrame> frames) {
    return frames.stream().map(RawFrame::code).toList();
  }

  private static boolean isOpen(List<RawFrame> frames) {
    return codes(frames).contains(RawFrame.OPEN) && !codes(frames).contains(RawFrame.CLOSE);
  }

  private static void assertRefused(List<RawFrame> frames) {
    assertThat(codes(frames)).containsExactly(RawFrame.HEADER, RawFrame.OPEN, RawFrame.CLOSE);
    assertThat(((Map<?, ?>) frames.get(1).get(9)).get(FAILED)).isEqualTo(true);
    RawFrame close = frames.get(2);
    assertThat(close.condition(0)).isEqualTo("amqp:invalid-field");
    List<?> error = (List<?>) ((DescribedType) close.get(0)).getDescribed();
    assertThat((String) error.get(1)).contains("app");
    assertThat(error.get(2))
        .isEqualTo(Map.of(Symbol.valueOf("invalid-field"), Symbol.valueOf("container-id")));
  }

  @Test
  void shouldRefuseTheSecondAndLeaveTheFirstAlone() {
    assertThat(isOpen(first.send(Wire.AMQP, open("app", true)))).isTrue();
    assertRefused(new EngineRig(first).send(Wire.AMQP, open("app", true)));
    assertThat(codes(first.send(Wire.begin(0)))).containsExactly(RawFrame.BEGIN);
  }

  @Test
  void shouldLetOthersIn() {
    assertThat(isOpen(first.send(Wire.AMQP, open("app", true)))).isTrue();
    assertThat(isOpen(new EngineRig(first).send(Wire.AMQP, open("other", true)))).isTrue();
    assertThat(isOpen(new EngineRig(first).send(Wire.AMQP, open("app", false))))
        .as("one that does not ask")
        .isTrue();
  }

  @Test
  void shouldOfferIt() {
    RawFrame open = first.send(Wire.AMQP, open("app", true)).get(1);
    assertThat(Arrays.asList((Object[]) open.get(7)))
        .contains(Symbol.valueOf("sole-connection-for-container"), Symbol.valueOf("SHARED-SUBS"));
    assertThat(((Map<?, ?>) open.get(9)).get(FAILED)).isNull();
  }

  @Test
  void shouldFreeTheIdWhenTheConnectionCloses() {
    first.send(Wire.AMQP, open("app", true));
    first.send(Wire.close());
    assertThat(isOpen(new EngineRig(first).send(Wire.AMQP, open("app", true)))).isTrue();
  }

  @Test
  void shouldFreeTheIdWhenTheSocketIsGone() {
    first.send(Wire.AMQP, open("app", true));
    first.engine.lost();
    first.read();
    assertThat(isOpen(new EngineRig(first).send(Wire.AMQP, open("app", true)))).isTrue();
  }

  @Test
  void shouldNotFreeTheIdWhenARefusedOneGoes() {
    first.send(Wire.AMQP, open("app", true));
    EngineRig second = new EngineRig(first);
    second.send(Wire.AMQP, open("app", true));
    second.engine.lost();
    second.read();
    assertRefused(new EngineRig(first).send(Wire.AMQP, open("app", true)));
  }

  @Test
  void shouldTakeWhatIsSentBehindTheOpen() {
    List<RawFrame> frames =
        first.send(
            Wire.AMQP,
            open("app", true),
            Wire.begin(0),
            Wire.sender(0, 0, "out", Wire.target("t")),
            Wire.transfer(0, 0L, Wire.message("m")));
    assertThat(codes(frames))
        .containsSubsequence(RawFrame.OPEN, RawFrame.BEGIN, RawFrame.ATTACH, RawFrame.DISPOSITION)
        .doesNotContain(RawFrame.CLOSE);
    assertThat(first.broker.partition("t", 0).records()).hasSize(1);
  }

  @Test
  void shouldTakeNothingThatARefusedOneSendsBehindItsOpen() {
    first.send(Wire.AMQP, open("app", true));
    EngineRig second = new EngineRig(first);
    assertRefused(
        second.send(
            Wire.AMQP,
            open("app", true),
            Wire.begin(0),
            Wire.sender(0, 0, "out", Wire.target("t")),
            Wire.receiver(0, 1, "in", Wire.source("t")),
            Wire.transfer(0, 0L, Wire.message("m"))));
    assertThat(first.broker.partition("t", 0).records()).isEmpty();
    assertThat(first.broker.requests).isEmpty();
    assertThat(second.linkCount).isZero();
  }
}
