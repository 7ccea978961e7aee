package io.amphora.amqp.server;

import static io.amphora.amqp.server.Transcript.NULL;
import static io.amphora.amqp.server.Transcript.tag;
import static io.amphora.amqp.server.Transcript.ubyte;
import static io.amphora.amqp.server.Transcript.uint;
import static io.amphora.amqp.testkit.RawFrame.ATTACH;
import static io.amphora.amqp.testkit.RawFrame.BEGIN;
import static io.amphora.amqp.testkit.RawFrame.CLOSE;
import static io.amphora.amqp.testkit.RawFrame.DETACH;
import static io.amphora.amqp.testkit.RawFrame.DISPOSITION;
import static io.amphora.amqp.testkit.RawFrame.END;
import static io.amphora.amqp.testkit.RawFrame.FLOW;
import static io.amphora.amqp.testkit.RawFrame.OPEN;
import static io.amphora.amqp.testkit.RawFrame.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.ForeignFrames;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.io.IOException;
import java.util.List;
import org.apache.qpid.proton.amqp.Symbol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The frames of Azure's go-amqp, as its sources write them, and what it needs to find in ours: it
 * waits for each answer, and ends session or connection when one is not as expected.
 */
@Timeout(60)
class GoAmqpTranscriptTest {

  private static final int WINDOW = 5000;
  private static final int SOURCE = 0x28;
  private static final int TARGET = 0x29;

  private ServerRig rig;
  private Transcript go;

  @BeforeEach
  void connect() throws Exception {
    rig = new ServerRig();
    rig.broker.withTopic("orders", 1);
    go = new Transcript(ForeignFrames.GO, rig.port);
  }

  @AfterEach
  void disconnect() throws Exception {
    go.close();
    rig.close();
  }

  /** No SASL layer unless the user asks for one; then open and begin, each awaited. */
  private void begun() throws IOException {
    go.write(Wire.AMQP);
    go.expectHeader(Wire.AMQP);
    open();
  }

  private void open() throws IOException {
    go.send(OPEN, "Kh3c5bqBSkMyVqHNm", "127.0.0.1", uint(65536), null, uint(30_000));
    RawFrame open = go.expect(OPEN);
    assertThat(open.get(0)).as("container-id is required").isNotNull();
    go.send(BEGIN, null, uint(0), uint(WINDOW), uint(0xFFFFFFFFL));
    RawFrame begin = go.expect(BEGIN);
    assertThat(begin.get(0)).as("remote-channel").hasToString("0");
  }

  private RawFrame sender(String name, Object snd, Object rcv, String address) throws IOException {
    go.send(
        ATTACH,
        name,
        uint(0),
        false,
        snd,
        rcv,
        go.part(SOURCE),
        go.part(TARGET, address),
        null,
        null,
        uint(0));
    RawFrame attach = go.expect(ATTACH);
    assertThat(attach.get(0)).as("found by name and role").isEqualTo(name);
    assertThat(attach.get(2)).as("found by name and role").isEqualTo(true);
    return attach;
  }

  private RawFrame receiver(String name, int handle, Object snd, Object rcv) throws IOException {
    go.send(ATTACH, name, uint(handle), true, snd, rcv, go.part(SOURCE, "orders"), go.part(TARGET));
    RawFrame attach = go.expect(ATTACH);
    assertThat(attach.get(2)).isEqualTo(false);
    assertThat(attach.get(9)).as("initial-delivery-count").isNotNull();
    return attach;
  }

  private static void assertFlow(RawFrame flow) {
    for (int field = 0; field < 7; field++) {
      assertThat(flow.get(field)).as("it dereferences field %d", field).isNotNull();
    }
  }

  private void credit(int handle, int count, int credit, boolean drain) throws IOException {
    go.send(
        FLOW,
        uint(1),
        uint(WINDOW),
        uint(0),
        uint(0xFFFFFFFFL),
        uint(handle),
        uint(count),
        uint(credit),
        null,
        drain ? true : null);
  }

  /** One message; the last three fields are only set when they say something. */
  private void send(int id) throws IOException {
    go.transfer(Wire.message("m" + id), uint(0), uint(id), tag(8, id), uint(0));
  }

  @Test
  void shouldSendAndBeSettled() throws IOException {
    begun();
    RawFrame attach = sender("s", null, null, "orders");
    assertThat(attach.get(10)).as("it takes this for its limit").hasToString("67108864");
    RawFrame flow = go.expect(FLOW);
    assertFlow(flow);
    assertThat(flow.uint(6)).isPositive();
    for (int id = 0; id < 5; id++) {
      send(id);
      go.awaitSettled(id);
    }
    assertThat(rig.broker.partition("orders", 0).records()).hasSize(5);
  }

  /** Only the first frame has id, tag and format; settled is only said with the last one. */
  @Test
  void shouldSendSettledMessagesOfManyFrames() throws IOException {
    begun();
    sender("s", ubyte(1), null, "orders");
    byte[] message = Wire.data(new byte[1000]);
    byte[] half = java.util.Arrays.copyOf(message, 500);
    byte[] rest = java.util.Arrays.copyOfRange(message, 500, message.length);
    go.transfer(half, uint(0), uint(0), tag(8, 0), uint(0), null, true);
    go.transfer(rest, uint(0), null, null, null, true);
    go.transfer(half, uint(0), uint(1), tag(8, 1), uint(0), null, true);
    go.transfer(rest, uint(0));
    RawFrame disposition = go.await(DISPOSITION);
    assertThat(disposition.uint(1)).as("only the second wants an answer").isEqualTo(1);
    assertThat(rig.broker.partition("orders", 0).records()).hasSize(2);
  }

  @Test
  void shouldSettleLastWhenItAskedForModeSecond() throws IOException {
    begun();
    RawFrame attach = sender("s", ubyte(0), ubyte(1), "orders");
    assertThat(attach.get(3)).as("a mode that was asked for is echoed").hasToString("0");
    assertThat(attach.get(4)).as("a mode that was asked for is echoed").hasToString("1");
    send(0);
    RawFrame said = go.await(DISPOSITION);
    assertThat(said.get(3)).as("not settled yet").isEqualTo(false);
    assertThat(said.described(4)).isEqualTo(0x24);
    go.send(DISPOSITION, false, uint(0), uint(0), true, go.part(0x24));
    send(1);
    assertThat(go.await(DISPOSITION).uint(1)).isEqualTo(1);
  }

  @Test
  void shouldReceiveAndSettleAllWays() throws IOException {
    begun();
    sender("s", null, null, "orders");
    for (int id = 0; id < 4; id++) {
      send(id);
    }
    go.awaitSettled(3);
    receiver("r", 1, null, null);
    credit(1, 0, 4, false);
    List<RawFrame> deliveries = go.deliveries(4);
    for (RawFrame delivery : deliveries) {
      assertThat(delivery.get(1)).as("the first transfer has an id").isNotNull();
      assertThat(delivery.get(2)).as("the first transfer has a tag").isNotNull();
      assertThat(delivery.get(3)).as("the first transfer has a format").isNotNull();
    }
    go.send(DISPOSITION, true, uint(0), null, true, go.part(0x24));
    go.send(DISPOSITION, true, uint(1), null, true, go.part(0x25));
    go.send(DISPOSITION, true, uint(2), null, true, go.part(0x26));
    go.send(DISPOSITION, true, uint(3), null, true, go.part(0x27, true));
    credit(1, 4, 10, false);
    List<RawFrame> again = go.deliveries(2);
    assertThat(again).extracting(f -> f.uint(1)).containsExactly(4, 5);
  }

  /** Without the broker's word its call never returns. */
  @Test
  void shouldBeAnsweredInModeSecond() throws IOException {
    begun();
    sender("s", null, null, "orders");
    send(0);
    go.awaitSettled(0);
    RawFrame attach = receiver("r", 1, null, ubyte(1));
    assertThat(attach.get(4)).hasToString("1");
    credit(1, 0, 1, false);
    go.await(TRANSFER);
    go.send(DISPOSITION, true, uint(0), null, null, go.part(0x24));
    RawFrame answer = go.await(DISPOSITION);
    assertThat(answer.get(0)).as("role").isEqualTo(false);
    assertThat(answer.get(3)).as("settled").isEqualTo(true);
    assertThat(answer.described(4)).isEqualTo(0x24);
  }

  @Test
  void shouldDrain() throws IOException {
    begun();
    receiver("r", 0, null, null);
    credit(0, 0, 5, true);
    RawFrame flow = go.expect(FLOW);
    assertFlow(flow);
    assertThat(flow.uint(5)).isEqualTo(5);
    assertThat(flow.uint(6)).isZero();
    assertThat(flow.get(8)).as("drain").isEqualTo(true);
  }

  /** A null terminus makes it wait for the detach, of which it reads the error. */
  @Test
  void shouldLearnWhyALinkIsRefused() throws IOException {
    begun();
    RawFrame attach = sender("s", null, null, "orders::group");
    assertThat(attach.get(6)).as("target").isNull();
    RawFrame detach = go.expect(DETACH);
    assertThat(detach.get(1)).as("closed, or it is not implemented").isEqualTo(true);
    assertThat(detach.condition(2)).isEqualTo("amqp:invalid-field");
    go.send(DETACH, uint(0), true);
    sender("s", null, null, "orders");
    go.expect(FLOW);
  }

  @Test
  void shouldDetachEndAndCloseAndFindEachAnswered() throws IOException {
    begun();
    sender("s", null, null, "orders");
    go.expect(FLOW);
    go.send(DETACH, uint(0), true);
    assertThat(go.expect(DETACH).get(1)).isEqualTo(true);
    go.send(END);
    go.expect(END);
    go.send(CLOSE);
    go.expect(CLOSE);
  }

  /** Each frame of the handshake is awaited; the next AMQP header follows the outcome. */
  @Test
  void shouldComeInThroughSasl() throws IOException {
    go.write(Wire.SASL);
    go.expectHeader(Wire.SASL);
    RawFrame mechanisms = go.expect(RawFrame.MECHANISMS);
    assertThat((Symbol[]) mechanisms.get(0)).contains(Symbol.valueOf("ANONYMOUS"));
    byte[] init =
        ForeignFrames.GO.list(
            0x41, Symbol.valueOf("ANONYMOUS"), new org.apache.qpid.proton.amqp.Binary(new byte[0]));
    go.write(ForeignFrames.GO.frame(1, 0, init));
    assertThat(go.expect(RawFrame.OUTCOME).get(0)).hasToString("0");
    go.write(Wire.AMQP);
    go.expectHeader(Wire.AMQP);
    open();
  }

  /** Nulls in the middle of a list, where its encoder has nothing to say. */
  @Test
  void shouldBeUnderstoodWithNullsInTheMiddle() throws IOException {
    begun();
    go.send(ATTACH, "r", uint(0), true, NULL, NULL, go.part(SOURCE, "orders", NULL), NULL);
    assertThat(go.expect(ATTACH).get(5)).isNotNull();
  }
}
