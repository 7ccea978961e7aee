package io.amphora.amqp.server;

import static io.amphora.amqp.server.Transcript.NULL;
import static io.amphora.amqp.server.Transcript.tag;
import static io.amphora.amqp.server.Transcript.uint;
import static io.amphora.amqp.testkit.RawFrame.ATTACH;
import static io.amphora.amqp.testkit.RawFrame.BEGIN;
import static io.amphora.amqp.testkit.RawFrame.CLOSE;
import static io.amphora.amqp.testkit.RawFrame.DETACH;
import static io.amphora.amqp.testkit.RawFrame.DISPOSITION;
import static io.amphora.amqp.testkit.RawFrame.END;
import static io.amphora.amqp.testkit.RawFrame.FLOW;
import static io.amphora.amqp.testkit.RawFrame.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.ForeignFrames;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.topology.ScramPassword;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The frames of AMQP.NET Lite, as its sources write them: nothing is waited for before the first
 * flow, the transfer ids of a session start three below 2^32, and a surprise ends the connection.
 */
@Timeout(60)
class AmqpNetLiteTranscriptTest {

  private static final long FIRST_TRANSFER = 0xFFFFFFFDL;
  private static final int WINDOW = 2048;
  private static final int SOURCE = 0x28;
  private static final int TARGET = 0x29;

  private ServerRig rig;
  private Transcript lite;

  @BeforeEach
  void connect() throws Exception {
    rig = new ServerRig();
    rig.broker.withTopic("orders", 1);
    lite = new Transcript(ForeignFrames.LITE, rig.port);
  }

  @AfterEach
  void disconnect() throws Exception {
    lite.close();
    rig.close();
  }

  private void opening() throws IOException {
    lite.write(Wire.AMQP);
    lite.send(
        OPEN, "AMQPNetLite-5f1c", "127.0.0.1", uint(262_144), UnsignedShort.valueOf((short) 255));
    lite.send(BEGIN, null, uint(FIRST_TRANSFER), uint(WINDOW), uint(WINDOW), uint(1023));
  }

  private void opened() throws IOException {
    lite.expectHeader(Wire.AMQP);
    assertThat(lite.expect(OPEN).get(0)).as("its links are identified by it").isNotNull();
    assertThat(lite.expect(BEGIN).get(4)).as("handle-max").isNotNull();
  }

  private void sender(int handle, String address) throws IOException {
    lite.send(
        ATTACH,
        "sender",
        uint(handle),
        false,
        null,
        null,
        lite.part(SOURCE),
        lite.part(TARGET, address),
        null,
        null,
        uint(0));
  }

  private void receiver(int handle) throws IOException {
    lite.send(
        ATTACH,
        "receiver",
        uint(handle),
        true,
        null,
        null,
        lite.part(SOURCE, "orders"),
        lite.part(TARGET));
  }

  /** The transfers that it writes: state is null on the wire, not left out, as batchable is set. */
  private void send(int handle, int id, boolean settled) throws IOException {
    lite.transfer(
        Wire.message("m" + id),
        uint(handle),
        uint(id),
        tag(4, id + 1),
        uint(0),
        settled,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        false);
  }

  private void flow(int next, Integer handle, Integer count, int credit, boolean drain)
      throws IOException {
    lite.send(
        FLOW,
        uint(next),
        uint(WINDOW),
        uint(FIRST_TRANSFER),
        uint(WINDOW),
        handle == null ? null : uint(handle),
        count == null ? null : uint(count),
        handle == null ? null : uint(credit),
        null,
        handle == null ? null : drain);
  }

  /** Header, open, begin and attach in one go; then over 2^32 within the first messages. */
  @Test
  void shouldSendOverTheWrapOfItsTransferIds() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    lite.expect(ATTACH);
    RawFrame flow = lite.expect(FLOW);
    int credit = flow.uint(5) + flow.uint(6);
    assertThat(flow.uint(0)).as("next-incoming-id").isEqualTo((int) FIRST_TRANSFER);
    assertThat(credit).isPositive();
    int sent = 0;
    for (int round = 0; round < 20; round++) {
      for (; sent < credit; sent++) {
        send(0, sent, false);
      }
      lite.awaitSettled(sent - 1);
      RawFrame more = lite.await(FLOW);
      assertThat(more.uint(0) - (int) FIRST_TRANSFER).as("seen so far").isBetween(1, sent);
      credit = more.uint(5) + more.uint(6);
    }
    assertThat(rig.broker.partition("orders", 0).records()).hasSize(sent);
  }

  @Test
  void shouldSendWithoutAskingForAnswers() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    lite.await(FLOW);
    send(0, 0, true);
    send(0, 1, false);
    assertThat(lite.await(DISPOSITION).uint(1)).isEqualTo(1);
    assertThat(rig.broker.partition("orders", 0).records()).hasSize(2);
  }

  /** Its first flow has neither next-incoming-id nor delivery-count: it knows neither yet. */
  @Test
  void shouldGiveCreditBehindTheAttachBeforeItKnowsAnyCount() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    lite.await(FLOW);
    send(0, 0, false);
    lite.awaitSettled(0);
    receiver(1);
    lite.send(
        FLOW,
        null,
        uint(WINDOW),
        uint(FIRST_TRANSFER),
        uint(WINDOW),
        uint(1),
        null,
        uint(200),
        null,
        false);
    RawFrame delivery = lite.deliveries(1).get(0);
    assertThat(delivery.get(1)).as("above its start at 2^32-1").hasToString("0");
  }

  /** It renews its window when that is used up, or with the flow of a link. */
  @Test
  void shouldReceiveMoreThanItsWindow() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    RawFrame first = lite.await(FLOW);
    int total = 5000;
    int credit = first.uint(6);
    for (int sent = 0; sent < total; ) {
      int burst = Math.min(credit, total - sent);
      for (int i = 0; i < burst; i++) {
        send(0, sent++, false);
      }
      lite.awaitSettled(sent - 1);
      if (sent < total) {
        RawFrame flow = lite.await(FLOW);
        credit = flow.uint(5) + flow.uint(6) - sent;
      }
    }
    receiver(1);
    flow(1, 1, 0, 3000, false);
    lite.deliveries(WINDOW);
    flow(1 + WINDOW, null, null, 0, false);
    lite.deliveries(3000 - WINDOW);
    for (int id = 0; id < 3000; id++) {
      lite.send(DISPOSITION, true, uint(id), null, true, lite.part(0x24));
    }
    flow(1 + 3000, 1, 3000, 2000, false);
    List<RawFrame> rest = lite.deliveries(2000);
    assertThat(rest.get(1999).uint(1)).isEqualTo(4999);
  }

  @Test
  void shouldSettleAllWays() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    lite.await(FLOW);
    for (int id = 0; id < 4; id++) {
      send(0, id, false);
    }
    lite.awaitSettled(3);
    receiver(1);
    flow(1, 1, null, 200, false);
    lite.deliveries(4);
    lite.send(DISPOSITION, true, uint(0), null, true, lite.part(0x24));
    lite.send(DISPOSITION, true, uint(1), null, true, lite.part(0x25));
    lite.send(DISPOSITION, true, uint(2), null, true, lite.part(0x26));
    lite.send(DISPOSITION, true, uint(3), null, true, lite.part(0x27, true, false));
    assertThat(lite.deliveries(2)).extracting(f -> f.uint(1)).containsExactly(4, 5);
  }

  @Test
  void shouldDrain() throws IOException {
    opening();
    receiver(0);
    opened();
    lite.expect(ATTACH);
    flow(1, 0, 0, 10, true);
    RawFrame flow = lite.expect(FLOW);
    assertThat(flow.uint(5)).isEqualTo(10);
    assertThat(flow.uint(6)).isZero();
    assertThat(flow.get(8)).isEqualTo(true);
  }

  /** A detach without an attach before it drops the whole connection there. */
  @Test
  void shouldLearnWhyALinkIsRefused() throws IOException {
    opening();
    sender(0, "orders::group");
    opened();
    assertThat(lite.expect(ATTACH).get(6)).isNull();
    RawFrame detach = lite.expect(DETACH);
    assertThat(detach.condition(2)).isEqualTo("amqp:invalid-field");
    lite.send(DETACH, uint(0), true);
    sender(0, "orders");
    lite.expect(ATTACH);
    lite.expect(FLOW);
  }

  @Test
  void shouldLetGoOfAMessageInFlight() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    lite.await(FLOW);
    send(0, 0, false);
    lite.send(DISPOSITION, false, uint(0), null, true, lite.part(0x26));
    send(0, 1, false);
    lite.awaitSettled(1);
  }

  @Test
  void shouldDetachEndAndCloseAndFindEachAnswered() throws IOException {
    opening();
    sender(0, "orders");
    opened();
    lite.expect(ATTACH);
    lite.expect(FLOW);
    lite.send(DETACH, uint(0), true);
    lite.expect(DETACH);
    lite.send(END);
    lite.expect(END);
    lite.send(CLOSE);
    lite.expect(CLOSE);
  }

  /** With a user it speaks PLAIN, and takes no SASL frame above 512 bytes. */
  @Test
  void shouldComeInThroughPlain() throws IOException {
    rig.broker.withUser(ScramPassword.create("ada", "admin", "secret"));
    lite.write(Wire.SASL);
    lite.expectHeader(Wire.SASL);
    RawFrame mechanisms = lite.expect(RawFrame.MECHANISMS);
    assertThat((Symbol[]) mechanisms.get(0)).contains(Symbol.valueOf("PLAIN"));
    Binary response = new Binary("\0ada\0secret".getBytes(StandardCharsets.UTF_8));
    byte[] init = ForeignFrames.LITE.list(0x41, Symbol.valueOf("PLAIN"), response, "127.0.0.1");
    lite.write(ForeignFrames.LITE.frame(1, 0, init));
    assertThat(lite.expect(RawFrame.OUTCOME).get(0)).hasToString("0");
    opening();
    opened();
  }
}
