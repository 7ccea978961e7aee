package io.amphora.amqp.fuzz;

import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;

/** Damages what frames mean and leaves them well formed: another value in one field, or a frame. */
final class FrameMutator {

  private static final List<Object> VALUES =
      Arrays.asList(
          null,
          true,
          false,
          Wire.u(0),
          Wire.u(1),
          Wire.u(2),
          Wire.u(255),
          Wire.u(256),
          Wire.u(0x7FFFFFFFL),
          Wire.u(0x80000000L),
          Wire.u(0xFFFFFFFFL),
          UnsignedByte.valueOf((byte) 2),
          UnsignedShort.valueOf((short) 0),
          UnsignedLong.valueOf(-1),
          -1,
          "",
          "t",
          Symbol.valueOf("queue"),
          new Symbol[] {Symbol.valueOf("topic"), Symbol.valueOf("shared")},
          new Binary(new byte[0]),
          new Binary(new byte[33]),
          List.of(),
          Map.of(),
          Map.of(new Binary(new byte[] {0}), Wire.accepted()),
          Wire.source("t"),
          Wire.source("t::g", "shared"),
          Wire.target("t"),
          Wire.list(0x29),
          Wire.list(0x30),
          Wire.accepted(),
          Wire.list(0x23, Wire.u(0), 3L),
          Wire.list(0x25, Wire.list(0x1d, Symbol.valueOf("x"), "why")),
          Wire.list(0x26),
          Wire.list(0x27, true, true, Map.of(Symbol.valueOf("x-opt-a"), 1)),
          Wire.list(0x34, new Binary(new byte[] {1}), Wire.accepted()),
          Wire.list(0x2b));

  private final Random random;

  FrameMutator(Random random) {
    this.random = random;
  }

  private Object value() {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  /** The frame with another value in one of its fields, or with more or fewer fields. */
  byte[] field(byte[] frame) {
    RawFrame parsed;
    try {
      parsed = RawFrame.parse(frame).get(0);
    } catch (RuntimeException damagedBefore) {
      return frame;
    }
    if (parsed.code() <= 0) {
      return frame;
    }
    List<Object> fields = new ArrayList<>(parsed.fields());
    int at = random.nextInt(fields.size() + 1);
    if (at == fields.size()) {
      fields.add(value());
    } else if (random.nextInt(8) == 0) {
      fields = fields.subList(0, at);
    } else {
      fields.set(at, value());
    }
    byte[] body = Wire.encode(Wire.list(parsed.code(), fields.toArray()));
    return Wire.frame(parsed.type(), parsed.channel(), body, parsed.payload());
  }

  /** The frame on another channel. */
  byte[] elsewhere(byte[] frame) {
    if (frame.length >= 8 && frame[0] != 'A') {
      ByteBuffer.wrap(frame).putShort(6, (short) random.nextInt(3));
    }
    return frame;
  }

  /** A frame between others: about deliveries and credit, from either side. */
  byte[] between() {
    int handle = random.nextInt(3);
    long id = random.nextInt(4);
    byte[] frame =
        switch (random.nextInt(6)) {
          case 0, 1 ->
              Wire.disposition(
                  random.nextBoolean(),
                  (int) id,
                  random.nextBoolean() ? null : (int) id + random.nextInt(5),
                  random.nextBoolean(),
                  value());
          case 2 ->
              Wire.flow(handle, id, random.nextInt(5), random.nextBoolean(), random.nextBoolean());
          case 3 -> Wire.detach(handle, random.nextBoolean());
          case 4 -> Wire.transfer(handle, id, new byte[9], random.nextBoolean(), true);
          default -> Wire.begin(random.nextInt(3), 0xFFFFFFFFL, random.nextInt(3));
        };
    return random.nextInt(4) == 0 ? elsewhere(frame) : frame;
  }
}
