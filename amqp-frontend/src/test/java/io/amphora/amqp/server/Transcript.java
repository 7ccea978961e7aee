package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EncodedList;
import io.amphora.amqp.testkit.FieldTypes;
import io.amphora.amqp.testkit.ForeignFrames;
import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with the broker over a socket in the frames of another client. Whatever the broker
 * says is checked field by field before it is looked at.
 */
final class Transcript implements AutoCloseable {

  static final Object NULL = ForeignFrames.NULL;

  private final ForeignFrames client;
  private final RawClient socket;
  private final ArrayDeque<RawFrame> skipped = new ArrayDeque<>();

  Transcript(ForeignFrames client, int port) throws IOException {
    this.client = client;
    this.socket = new RawClient(port);
  }

  static UnsignedInteger uint(long value) {
    return Wire.u(value);
  }

  static UnsignedByte ubyte(int value) {
    return UnsignedByte.valueOf((byte) value);
  }

  /** Binary of four or more bytes, as a counter. */
  static org.apache.qpid.proton.amqp.Binary tag(int bytes, int value) {
    byte[] tag = new byte[bytes];
    for (int i = 0; i < 4; i++) {
      tag[bytes - 1 - i] = (byte) (value >> (8 * i));
    }
    return new org.apache.qpid.proton.amqp.Binary(tag);
  }

  ForeignFrames.Part part(int code, @Nullable Object... fields) {
    return client.part(code, fields);
  }

  void write(byte[]... frames) throws IOException {
    socket.send(frames);
  }

  void send(int code, @Nullable Object... fields) throws IOException {
    write(client.frame(code, fields));
  }

  void transfer(byte[] payload, @Nullable Object... fields) throws IOException {
    write(client.transfer(payload, fields));
  }

  void expectHeader(byte[] header) throws IOException {
    assertThat(socket.nextBytes()).isEqualTo(header);
  }

  private RawFrame next() throws IOException {
    byte[] bytes = socket.nextBytes();
    if (bytes.length > 8) {
      FieldTypes.check(EncodedList.ofFrame(bytes));
    }
    return RawFrame.parse(bytes).get(0);
  }

  /** The next frame, which has to be of this kind. */
  RawFrame expect(int code) throws IOException {
    RawFrame frame = next();
    assertThat(frame.code()).as("%s", frame).isEqualTo(code);
    return frame;
  }

  /** The next frame of this kind; what comes before is kept for later. */
  RawFrame await(int code) throws IOException {
    for (RawFrame frame : skipped) {
      if (frame.code() == code) {
        skipped.remove(frame);
        return frame;
      }
    }
    for (RawFrame frame = next(); ; frame = next()) {
      if (frame.code() == code) {
        return frame;
      }
      assertThat(frame.code())
          .as("%s", frame)
          .isNotIn(RawFrame.DETACH, RawFrame.END, RawFrame.CLOSE);
      skipped.add(frame);
    }
  }

  /** That many deliveries of one frame each. */
  List<RawFrame> deliveries(int count) throws IOException {
    List<RawFrame> all = new ArrayList<>();
    while (all.size() < count) {
      all.add(await(RawFrame.TRANSFER));
    }
    return all;
  }

  /** Reads dispositions until ids up to this one are settled. */
  void awaitSettled(int last) throws IOException {
    for (int settled = -1; settled < last; ) {
      RawFrame disposition = await(RawFrame.DISPOSITION);
      assertThat(disposition.get(0)).as("role").isEqualTo(true);
      assertThat(disposition.get(3)).as("settled").isEqualTo(true);
      assertThat(disposition.described(4)).as("accepted").isEqualTo(0x24);
      settled = disposition.uint(2);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
