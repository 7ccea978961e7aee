package io.amphora.amqp.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameWriterTest {

  private final FrameWriter writer = new FrameWriter();

  private static byte[] amqp(int size) {
    byte[] frame = new byte[size];
    Arrays.fill(frame, (byte) size);
    ByteBuffer.wrap(frame).putInt(size);
    return frame;
  }

  /** What the WebSocket frames carry. */
  private List<byte[]> written(byte[] data) {
    ByteBuf out = writer.write(Unpooled.wrappedBuffer(data), UnpooledByteBufAllocator.DEFAULT);
    List<byte[]> payloads = new ArrayList<>();
    while (out.isReadable()) {
      assertThat(out.readByte()).isEqualTo((byte) 0x82);
      int length = out.readByte();
      if (length == 126) {
        length = out.readUnsignedShort();
        assertThat(length).isGreaterThan(125);
      }
      payloads.add(ByteBufUtil.getBytes(out.readSlice(length)));
    }
    return payloads;
  }

  @Test
  void shouldPackWhatEveryPeerCanTake() {
    List<byte[]> payloads =
        written(Wire.join(List.of(Wire.AMQP, amqp(100), amqp(404), amqp(8), amqp(504), amqp(513))));
    assertThat(payloads).extracting(each -> each.length).containsExactly(512, 512, 513);
  }

  @Test
  void shouldGiveALargeFrameFramesOfItsOwn() {
    List<byte[]> payloads =
        written(Wire.join(List.of(amqp(100), amqp(65_536), amqp(600), amqp(20))));
    assertThat(payloads)
        .extracting(each -> each.length)
        .containsExactly(100, 32_768, 32_768, 600, 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 100, 1000})
  void shouldGoOnWhereItWasCut(int piece) {
    byte[] all =
        Wire.join(List.of(Wire.SASL, amqp(30), Wire.AMQP, amqp(700), amqp(8), amqp(9), amqp(3000)));
    List<byte[]> payloads = new ArrayList<>();
    for (int at = 0; at < all.length; at += piece) {
      payloads.addAll(written(Arrays.copyOfRange(all, at, Math.min(all.length, at + piece))));
    }
    assertThat(Wire.join(payloads)).isEqualTo(all);
    assertThat(payloads).allMatch(each -> each.length <= 3000);
  }

  @Test
  void shouldWriteTheReasonOfAClose() {
    ByteBuf close =
        FrameWriter.close(new FrameReader.End(1003, "no"), UnpooledByteBufAllocator.DEFAULT);
    assertThat(ByteBufUtil.getBytes(close)).containsExactly(0x88, 4, 0x03, 0xeb, 'n', 'o');
  }
}
