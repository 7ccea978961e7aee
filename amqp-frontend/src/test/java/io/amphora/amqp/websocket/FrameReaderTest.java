package io.amphora.amqp.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {

  private final FrameReader reader = new FrameReader();

  private byte[] read(byte[] bytes) {
    ByteBuf in = Unpooled.directBuffer().writeBytes(bytes);
    reader.read(in);
    byte[] out = ByteBufUtil.getBytes(in);
    in.release();
    return out;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private int status(byte[] bytes) {
    read(bytes);
    return reader.end().map(FrameReader.End::status).orElse(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 200_001})
  void shouldUnmaskFramesOfEveryLength(int length) {
    byte[] payload = random(length);
    assertThat(read(ClientFrames.binary(payload))).isEqualTo(payload);
    assertThat(reader.end()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 13, 64})
  void shouldReadFramesInPiecesOfAnySize(int piece) {
    byte[] a = random(300);
    byte[] b = random(70_000);
    byte[] c = random(5);
    byte[] all =
        Wire.join(
            List.of(
                ClientFrames.frame(0x02, a),
                ClientFrames.frame(0x89, random(3)),
                ClientFrames.frame(0x00, b),
                ClientFrames.frame(0x80, new byte[0]),
                ClientFrames.binary(c)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < all.length; at += piece) {
      out.writeBytes(read(Arrays.copyOfRange(all, at, Math.min(all.length, at + piece))));
    }
    assertThat(out.toByteArray()).isEqualTo(Wire.join(List.of(a, b, c)));
    assertThat(reader.takePing()).contains(random(3));
    assertThat(reader.takePing()).isEmpty();
    assertThat(reader.end()).isEmpty();
  }

  @Test
  void shouldKeepOnlyTheNewestPing() {
    read(
        Wire.join(
            List.of(ClientFrames.frame(0x89, random(9)), ClientFrames.frame(0x89, random(2)))));
    assertThat(reader.takePing()).contains(random(2));
  }

  @Test
  void shouldIgnorePongs() {
    assertThat(read(ClientFrames.frame(0x8a, random(9)))).isEmpty();
    assertThat(reader.takePing()).isEmpty();
  }

  @Test
  void shouldEndWithTheClosingFrameAndKeepWhatCameBefore() {
    byte[] sent =
        Wire.join(
            List.of(
                ClientFrames.binary(random(20)),
                ClientFrames.frame(0x88, new byte[] {3, (byte) 0xe9}),
                ClientFrames.binary(random(20))));
    assertThat(read(sent)).isEqualTo(random(20));
    assertThat(reader.end()).contains(FrameReader.NORMAL);
  }

  @Test
  void shouldRefuseText() {
    assertThat(status(ClientFrames.frame(0x81, random(4)))).isEqualTo(1003);
  }

  @Test
  void shouldRefuseUnmaskedFrames() {
    assertThat(status(ClientFrames.raw(0x82, 4, false, random(4)))).isEqualTo(1002);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x83, 0x87, 0x8b, 0x8f, 0xc2, 0xa2, 0x92, 0x80, 0x09, 0x08})
  void shouldRefuseOpcodesAndBitsThatMeanNothingHere(int first) {
    assertThat(status(ClientFrames.frame(first, random(4)))).isEqualTo(1002);
  }

  @Test
  void shouldRefuseAMessageInsideAnother() {
    read(ClientFrames.frame(0x02, random(4)));
    assertThat(status(ClientFrames.binary(random(4)))).isEqualTo(1002);
  }

  @Test
  void shouldRefuseLongControlFrames() {
    assertThat(status(ClientFrames.frame(0x89, random(126)))).isEqualTo(1002);
  }

  @ParameterizedTest
  @ValueSource(longs = {FrameReader.LIMIT + 1, 1L << 40, Long.MAX_VALUE})
  void shouldRefuseFramesThatClaimToBeHuge(long length) {
    assertThat(status(ClientFrames.raw(0x82, length, true, random(4)))).isEqualTo(1009);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void shouldRefuseNegativeLengths(long length) {
    assertThat(status(ClientFrames.raw(0x82, length, true, random(4)))).isEqualTo(1002);
  }

  @Test
  void shouldRefuseLengthsInMoreBytesThanNeeded() {
    byte[] padded = {(byte) 0x82, (byte) 0xfe, 0, 4, 0, 0, 0, 0, 1, 2, 3, 4};
    assertThat(status(padded)).isEqualTo(1002);
  }
}
