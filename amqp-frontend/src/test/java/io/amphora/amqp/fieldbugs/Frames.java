package io.amphora.amqp.fieldbugs;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/** Picks frames and sections apart. */
final class Frames {

  private Frames() {}

  static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  static RawFrame only(List<RawFrame> frames, int code) {
    List<RawFrame> found = of(frames, code);
    assertThat(found).as("%s", frames).hasSize(1);
    return found.get(0);
  }

  /** Deliveries that are complete. */
  static int messages(List<RawFrame> frames) {
    return (int)
        of(frames, RawFrame.TRANSFER).stream().filter(f -> Boolean.FALSE.equals(f.get(5))).count();
  }

  /** The described sections of a message. */
  static List<DescribedType> sections(byte[] message) {
    DecoderImpl decoder = new DecoderImpl();
    new EncoderImpl(decoder);
    java.nio.ByteBuffer in = java.nio.ByteBuffer.wrap(message);
    decoder.setByteBuffer(in);
    List<DescribedType> sections = new ArrayList<>();
    while (in.hasRemaining()) {
      sections.add((DescribedType) decoder.readObject());
    }
    return sections;
  }

  /** A flow of one link of session 0 with the session's window. */
  static byte[] flow(int handle, long[] window, Long count, long credit) {
    return Wire.frame(
        0,
        RawFrame.FLOW,
        window[0] < 0 ? null : Wire.u(window[0]),
        Wire.u(window[1]),
        Wire.u(0),
        Wire.u(2048),
        Wire.u(handle),
        count == null ? null : Wire.u(count),
        Wire.u(credit));
  }
}
