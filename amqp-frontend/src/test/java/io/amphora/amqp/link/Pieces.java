package io.amphora.amqp.link;

import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;

/** Large messages, and the transfers they come and go in. */
final class Pieces {

  static final byte[] HEADER = Wire.encode(Wire.list(0x70, true));
  static final byte[] ANNOTATIONS = map(0x72, "x-opt-partition-key", "k1");
  static final byte[] FOOTER = map(0x78, "sum", "1");
  static final int FRAME = 60_000;

  private Pieces() {}

  static byte[] map(int code, String key, Object value) {
    return Wire.encode(
        new Wire.Described(UnsignedLong.valueOf(code), Map.of(Symbol.valueOf(key), value)));
  }

  /** A data section of random bytes, in two halves. */
  static byte[] body(int size) {
    byte[] half = new byte[size / 2];
    new Random(size).nextBytes(half);
    return Wire.join(Wire.data(half), Wire.data(half));
  }

  /** The transfers of a message. */
  static List<byte[]> of(int handle, long id, byte[] message) {
    return of(handle, id, message, false);
  }

  static List<byte[]> of(int handle, long id, byte[] message, boolean settled) {
    List<byte[]> frames = new ArrayList<>();
    for (int at = 0; at < message.length; at += FRAME) {
      int end = Math.min(message.length, at + FRAME);
      byte[] part = Arrays.copyOfRange(message, at, end);
      frames.add(Wire.transfer(handle, at == 0 ? id : null, part, settled, end < message.length));
    }
    return frames;
  }

  /** All but the last. */
  static List<byte[]> unfinished(int handle, long id, byte[] message) {
    List<byte[]> all = of(handle, id, message);
    return all.subList(0, all.size() - 1);
  }

  static byte[][] array(List<byte[]> frames) {
    return frames.toArray(byte[][]::new);
  }

  static List<RawFrame> only(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  /** The payloads of transfers, in a row. */
  static byte[] payload(List<RawFrame> transfers) {
    return Wire.join(transfers.stream().map(RawFrame::payload).toList());
  }
}
