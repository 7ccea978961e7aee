package io.amphora.amqp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EncodedList;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every frame has all its fields, and a value where strict decoders want one (conventions 0.3): one
 * test for each kind of frame.
 */
class FrameBytesTest {

  private static final String TRUE = "41";
  private static final String FALSE = "42";
  private static final String ACCEPTED = "00532445";

  private final EngineRig rig = new EngineRig();

  @BeforeEach
  void topic() {
    rig.broker.withTopic("t", 1);
  }

  private static EncodedList only(byte[] written, int code) {
    List<EncodedList> found = all(written, code);
    assertThat(found).as("frames with code %x", code).hasSize(1);
    return found.get(0);
  }

  private static List<EncodedList> all(byte[] written, int code) {
    return EncodedList.frames(written).stream()
        .filter(frame -> frame[0] != 'A' && frame.length > 8)
        .map(EncodedList::ofFrame)
        .filter(list -> list.code() == code)
        .toList();
  }

  private static void assertShape(EncodedList list, int count, int... values) {
    assertThat(list.fields()).hasSize(count);
    for (int index : values) {
      assertThat(list.isNull(index)).as("field %d of %x is null", index, list.code()).isFalse();
    }
  }

  private static byte[] frames(byte[]... parts) {
    return Wire.join(parts);
  }

  @Test
  void open() {
    EncodedList open = only(rig.sendRaw(frames(Wire.AMQP, Wire.open())), RawFrame.OPEN);
    assertShape(open, 10, 0, 2, 3, 4, 7, 9);
    assertThat(open.hex(0)).as("container-id").isEqualTo("a1026231");
    assertThat(open.hex(2)).as("max-frame-size").isEqualTo("7000010000");
    assertThat(open.hex(3)).as("channel-max").isEqualTo("6000ff");
    assertThat(open.hex(4)).as("idle-time-out").isEqualTo("700000ea60");
    assertThat(open.constructor(7)).as("capabilities are an array").isIn(0xe0, 0xf0);
  }

  @Test
  void begin() {
    byte[] written = rig.sendRaw(frames(Wire.AMQP, Wire.open(), Wire.begin(3)));
    EncodedList begin = only(written, RawFrame.BEGIN);
    assertShape(begin, 8, 0, 1, 2, 3, 4);
    assertThat(begin.hex(0)).as("remote-channel").isEqualTo("600003");
    assertThat(begin.hex(1)).as("next-outgoing-id").isEqualTo("5201");
    assertThat(begin.hex(4)).as("handle-max").isEqualTo("70000003ff");
  }

  @Test
  void attachForASender() {
    rig.opened();
    EncodedList attach =
        only(rig.sendRaw(Wire.sender(0, 0, "out", Wire.target("t"))), RawFrame.ATTACH);
    assertShape(attach, 14, 0, 1, 2, 3, 4, 5, 6, 8, 10, 13);
    assertThat(attach.hex(0)).isEqualTo("a1036f7574");
    assertThat(attach.hex(2)).as("role: receiver").isEqualTo(TRUE);
    assertShape(attach.list(5), 11, 0, 1, 2, 3, 4);
    assertShape(attach.list(6), 7, 0, 1, 2, 3, 4);
    assertThat(attach.hex(10)).as("max-message-size below 2^31").isEqualTo("800000000004000000");
    assertThat(attach.hex(13)).as("an empty map").isEqualTo("c10100");
  }

  @Test
  void attachForASenderWithoutASource() {
    rig.opened();
    byte[] bare =
        Wire.attach(
            0, 0, "out", false, new Object[] {null, null, null, Wire.target("t"), Wire.u(0)});
    EncodedList attach = only(rig.sendRaw(bare), RawFrame.ATTACH);
    assertShape(attach.list(5), 11, 1, 2, 3, 4);
    assertShape(attach.list(6), 7, 0);
  }

  @Test
  void attachForAReceiver() {
    rig.opened();
    byte[] modes = Wire.attach(0, 0, "in", true, new Object[] {0, 1, Wire.source("t"), null, null});
    EncodedList attach = only(rig.sendRaw(modes), RawFrame.ATTACH);
    assertShape(attach, 14, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 13);
    assertThat(attach.hex(2)).as("role: sender").isEqualTo(FALSE);
    assertThat(attach.hex(3)).as("snd-settle-mode as asked").isEqualTo("5000");
    assertThat(attach.hex(4)).as("rcv-settle-mode as asked").isEqualTo("5001");
    assertThat(attach.hex(9)).as("initial-delivery-count").isEqualTo("43");
    assertShape(attach.list(5), 11, 0, 1, 2, 3, 4, 8, 9);
    assertThat(attach.list(5).hex(8)).as("default-outcome: released").isEqualTo("00532645");
    assertThat(attach.list(5).constructor(9)).as("outcomes").isIn(0xe0, 0xf0);
    assertShape(attach.list(6), 7, 1, 2, 3, 4);
  }

  @Test
  void attachForTheAnonymousTerminus() {
    rig.opened();
    EncodedList attach =
        only(rig.sendRaw(Wire.sender(0, 0, "any", Wire.list(0x29))), RawFrame.ATTACH);
    assertShape(attach.list(6), 7, 1, 2, 3, 4);
    assertThat(attach.list(6).isNull(0)).as("the address").isTrue();
  }

  @Test
  void flowOfALink() {
    rig.opened();
    EncodedList flow = only(rig.sendRaw(Wire.sender(0, 0, "out", Wire.target("t"))), RawFrame.FLOW);
    assertShape(flow, 11, 0, 1, 2, 3, 4, 5, 6, 8, 9);
    assertThat(flow.hex(8)).as("drain").isEqualTo(FALSE);
    assertThat(flow.hex(9)).as("echo").isEqualTo(FALSE);
  }

  @Test
  void flowThatAnswersADrain() {
    rig.opened();
    rig.sendRaw(Wire.receiver(0, 0, "in", Wire.source("t")));
    EncodedList flow = only(rig.sendRaw(Wire.flow(0, 0L, 7, true, false)), RawFrame.FLOW);
    assertShape(flow, 11, 0, 1, 2, 3, 4, 5, 6, 8, 9);
    assertThat(flow.hex(5)).as("delivery-count").isEqualTo("5207");
    assertThat(flow.hex(6)).as("link-credit").isEqualTo("43");
    assertThat(flow.hex(8)).as("drain").isEqualTo(TRUE);
  }

  @Test
  void flowOfASession() {
    rig.opened();
    Object[] session = {Wire.u(1), Wire.u(9), Wire.u(0), Wire.u(9), null, null, null, null};
    Object[] echo = Arrays.copyOf(session, 10);
    echo[8] = false;
    echo[9] = true;
    EncodedList flow = only(rig.sendRaw(Wire.frame(0, RawFrame.FLOW, echo)), RawFrame.FLOW);
    assertShape(flow, 11, 0, 1, 2, 3, 8, 9);
    assertThat(flow.isNull(4)).as("handle").isTrue();
  }

  @Test
  void transfersOfOneDelivery() {
    rig.send(Wire.AMQP, Wire.open(512, null), Wire.begin(0));
    rig.send(
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.transfer(0, 0L, Wire.data(new byte[300]), true, true),
        Wire.transfer(0, null, new byte[0], true, false));
    rig.send(Wire.transfer(0, 1L, Wire.data(new byte[460])));
    rig.send(Wire.receiver(0, 1, "in", Wire.source("t")));
    List<EncodedList> transfers =
        all(rig.sendRaw(Wire.flow(1, 0L, 2, false, false)), RawFrame.TRANSFER);
    assertThat(transfers).hasSizeGreaterThan(2);
    for (EncodedList transfer : transfers) {
      assertShape(transfer, 11, 0, 1, 2, 3, 4, 5);
      assertThat(transfer.hex(2)).as("a tag of 16 bytes").startsWith("a010");
      assertThat(transfer.hex(3)).as("message-format").isEqualTo("43");
      assertThat(transfer.rest()).isNotEmpty();
    }
    assertThat(transfers.get(0).hex(1)).as("the first delivery-id").isEqualTo("43");
    EncodedList last = transfers.get(transfers.size() - 1);
    assertThat(last.hex(1)).isEqualTo("5201");
    assertThat(last.hex(5)).as("more, on the last frame").isEqualTo(FALSE);
    EncodedList before = transfers.get(transfers.size() - 2);
    assertThat(before.hex(1)).as("delivery-id on a frame before the last").isEqualTo("5201");
    assertThat(before.hex(5)).as("more").isEqualTo(TRUE);
  }

  @Test
  void dispositionsForASender() {
    rig.opened();
    rig.send(Wire.sender(0, 0, "out", Wire.target("t")));
    List<EncodedList> answers =
        all(
            rig.sendRaw(
                frames(
                    Wire.transfer(0, 0L, Wire.message("good")),
                    Wire.transfer(0, 1L, new byte[] {1, 2, 3}))),
            RawFrame.DISPOSITION);
    assertThat(answers).hasSize(2);
    for (EncodedList answer : answers) {
      assertShape(answer, 6, 0, 1, 2, 3, 4, 5);
      assertThat(answer.hex(0)).as("role: receiver").isEqualTo(TRUE);
      assertThat(answer.hex(3)).as("settled").isEqualTo(TRUE);
    }
    assertThat(answers).extracting(a -> a.hex(4)).contains(ACCEPTED);
    EncodedList rejected =
        answers.stream()
            .filter(a -> a.hex(4).startsWith("005325"))
            .findFirst()
            .orElseThrow()
            .list(4);
    assertShape(rejected, 1, 0);
    assertError(rejected.list(0));
  }

  @Test
  void dispositionForAReceiverInModeSecond() {
    rig.opened();
    rig.send(Wire.sender(0, 0, "out", Wire.target("t")), Wire.transfer(0, 0L, Wire.message("one")));
    rig.send(Wire.attach(0, 1, "in", true, new Object[] {0, 1, Wire.source("t"), null, null}));
    rig.send(Wire.flow(1, 0L, 1, false, false));
    EncodedList answer =
        only(
            rig.sendRaw(Wire.disposition(true, 0, null, false, Wire.accepted())),
            RawFrame.DISPOSITION);
    assertShape(answer, 6, 0, 1, 2, 3, 4, 5);
    assertThat(answer.hex(0)).as("role: sender").isEqualTo(FALSE);
    assertThat(answer.hex(3)).as("settled").isEqualTo(TRUE);
    assertThat(answer.hex(4)).isEqualTo(ACCEPTED);
  }

  /** Condition, description and info. */
  private static void assertError(EncodedList error) {
    assertThat(error.code()).isEqualTo(0x1d);
    assertShape(error, 3, 0, 1);
    assertThat(error.constructor(0)).as("condition: a symbol").isEqualTo(0xa3);
    assertThat(error.constructor(1)).as("description: a string").isIn(0xa1, 0xb1);
  }

  @Test
  void detach() {
    rig.opened();
    rig.send(Wire.sender(0, 0, "out", Wire.target("t")));
    EncodedList plain = only(rig.sendRaw(Wire.detach(0, true)), RawFrame.DETACH);
    assertShape(plain, 3, 0, 1);
    assertThat(plain.hex(1)).as("closed").isEqualTo(TRUE);
    EncodedList refused =
        only(rig.sendRaw(Wire.sender(0, 0, "bad", Wire.target("a::b"))), RawFrame.DETACH);
    assertShape(refused, 3, 0, 1, 2);
    assertThat(refused.hex(1)).as("closed").isEqualTo(TRUE);
    assertError(refused.list(2));
  }

  @Test
  void end() {
    rig.opened();
    EncodedList error = only(rig.sendRaw(Wire.detach(9, true)), RawFrame.END);
    assertShape(error, 1, 0);
    assertError(error.list(0));
    rig.sendRaw(frames(Wire.end(0), Wire.begin(1)));
    assertShape(only(rig.sendRaw(Wire.end(1)), RawFrame.END), 1);
  }

  @Test
  void close() {
    assertShape(only(new EngineRig().opened().sendRaw(Wire.close()), RawFrame.CLOSE), 1);
    EncodedList error = only(rig.opened().sendRaw(Wire.end(7)), RawFrame.CLOSE);
    assertShape(error, 1, 0);
    assertError(error.list(0));
  }

  @Test
  void saslMechanismsAndOutcome() {
    EncodedList mechanisms = EncodedList.ofFrame(EncodedList.frames(rig.sendRaw(Wire.SASL)).get(1));
    assertThat(mechanisms.code()).isEqualTo(RawFrame.MECHANISMS);
    assertShape(mechanisms, 1, 0);
    assertThat(mechanisms.constructor(0)).as("an array, always").isIn(0xe0, 0xf0);
    EncodedList ok = only(rig.sendRaw(Wire.saslInit("ANONYMOUS", null)), RawFrame.OUTCOME);
    assertShape(ok, 2, 0);
    assertThat(ok.hex(0)).isEqualTo("5000");
    EngineRig other = new EngineRig();
    other.sendRaw(Wire.SASL);
    EncodedList failed = only(other.sendRaw(Wire.saslInit("NONE", null)), RawFrame.OUTCOME);
    assertShape(failed, 2, 0);
    assertThat(failed.hex(0)).isEqualTo("5001");
  }

  @Test
  void heartbeat() {
    rig.send(Wire.AMQP, Wire.open(65536, 10_000));
    rig.loop.advance(5_000_000_000L);
    rig.engine.tick(rig.loop.nowNanos());
    rig.wake();
    rig.loop.runAll();
    assertThat(rig.take()).isEqualTo(new byte[] {0, 0, 0, 8, 2, 0, 0, 0});
  }
}
