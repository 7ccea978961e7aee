package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.SubscribeRequest;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.List;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages whose time is over are done, and nobody gets them. */
class ExpiryLinkTest {

  private static final long SECOND = 1_000_000_000L;

  private final EngineRig rig = new EngineRig();
  private long nextId;

  @BeforeEach
  void open() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
  }

  private static byte[] ttl(long millis) {
    return Wire.encode(Wire.list(0x70, null, null, Wire.u(millis)));
  }

  private static byte[] expires(long millis) {
    return Wire.encode(
        Wire.list(
            0x73, "id", null, null, null, null, null, null, null, new Date(millis), new Date(1)));
  }

  private void publish(byte[]... sections) {
    byte[] message = Wire.join(Wire.join(sections), Wire.message("m" + nextId));
    rig.send(Wire.transfer(9, nextId, message));
    nextId++;
  }

  private List<RawFrame> receive(int credit, boolean drain) {
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    return rig.send(Wire.flow(0, 0L, credit, drain, false));
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  private static Object header(RawFrame transfer, int field) {
    DecoderImpl decoder = new DecoderImpl();
    new EncoderImpl(decoder);
    decoder.setByteBuffer(ByteBuffer.wrap(transfer.payload()));
    return ((List<?>) ((DescribedType) decoder.readObject()).getDescribed()).get(field);
  }

  @Test
  void shouldNotLetExpiredMessagesEatCredit() {
    for (int i = 0; i < 2500; i++) {
      publish(ttl(1000));
    }
    publish();
    publish(ttl(60_000));
    rig.loop.advance(2 * SECOND);
    List<RawFrame> frames = receive(10, false);
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(2);
    rig.send(Wire.disposition(true, 0, 1, true, Wire.accepted()));
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).settled)
        .hasSize(2502)
        .extracting(Settlement::outcome)
        .containsOnly(Outcome.ACCEPTED);
    publish();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).inFlight()).isEqualTo(1);
  }

  @Test
  void shouldAnswerADrainThatMeetsOnlyExpiredMessages() {
    for (int i = 0; i < 30; i++) {
      publish(ttl(1000));
    }
    rig.loop.advance(2 * SECOND);
    List<RawFrame> frames = receive(10, true);
    assertThat(of(frames, RawFrame.TRANSFER)).isEmpty();
    RawFrame drained = of(frames, RawFrame.FLOW).get(0);
    assertThat(drained.uint(5)).isEqualTo(10);
    assertThat(drained.uint(6)).isZero();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).settled).hasSize(30);
  }

  @Test
  void shouldReadTheTimeToLiveAsUnsigned() {
    publish(ttl(3_000_000_000L));
    rig.loop.advance(5 * SECOND);
    RawFrame transfer = of(receive(1, false), RawFrame.TRANSFER).get(0);
    UnsignedInteger left = (UnsignedInteger) header(transfer, 2);
    assertThat(left.longValue()).isEqualTo(2_999_995_000L);
  }

  @Test
  void shouldTakeAZeroForNoExpiry() {
    publish(ttl(0));
    publish(expires(0));
    rig.loop.advance(5 * SECOND);
    assertThat(of(receive(5, false), RawFrame.TRANSFER)).hasSize(2);
  }

  @Test
  void shouldObeyTheAbsoluteExpiryTimeFirst() {
    long now = rig.loop.nowMillis();
    publish(ttl(1000), expires(now + 10_000));
    publish(ttl(100_000), expires(now + 1000));
    publish(expires(now + 1000));
    publish(expires(now + 2001));
    rig.loop.advance(2 * SECOND);
    List<RawFrame> sent = of(receive(10, false), RawFrame.TRANSFER);
    assertThat(sent).hasSize(2);
    assertThat(new String(sent.get(0).payload(), java.nio.charset.StandardCharsets.US_ASCII))
        .endsWith("m0");
    assertThat(new String(sent.get(1).payload(), java.nio.charset.StandardCharsets.US_ASCII))
        .endsWith("m3");
  }
}
