package io.amphora.amqp.fuzz;

import io.amphora.amqp.testkit.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Damages a transcript: bits, numbers, sizes, order, and bodies made of nothing but nesting. */
public final class Mutator {

  private static final int[] EXTREMES = {
    0, 1, -1, 7, 8, 255, 256, 511, 512, 1023, 1024, 65535, 65536, 65537, 0x7FFFFFFF, 0x80000000
  };

  /** Constructors of compound values: described, lists, maps, arrays, strings, numbers. */
  private static final int[] CONSTRUCTORS = {
    0x00, 0x40, 0x41, 0x43, 0x44, 0x45, 0x50, 0x52, 0x53, 0x60, 0x70, 0x71, 0x80, 0x83, 0x98, 0xa0,
    0xa1, 0xa3, 0xb0, 0xb1, 0xb3, 0xc0, 0xc1, 0xd0, 0xd1, 0xe0, 0xf0
  };

  private final Random random;
  private final FrameMutator meaning;

  public Mutator(Random random) {
    this.random = random;
    this.meaning = new FrameMutator(random);
  }

  /** One of the transcripts, damaged a few times. */
  public byte[] mutated() {
    List<List<byte[]>> all = Transcripts.ALL;
    List<byte[]> frames = new ArrayList<>();
    all.get(random.nextInt(all.size())).forEach(frame -> frames.add(frame.clone()));
    for (int times = random.nextInt(4); times >= 0; times--) {
      mutate(frames);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frames.forEach(out::writeBytes);
    return out.toByteArray();
  }

  private void mutate(List<byte[]> frames) {
    int at = frames.isEmpty() ? 0 : random.nextInt(frames.size());
    if (frames.isEmpty()) {
      frames.add(randomFrame());
      return;
    }
    byte[] frame = frames.get(at);
    if (frame.length == 0) {
      frames.remove(at);
      return;
    }
    switch (random.nextInt(20)) {
      case 0 -> flip(frame);
      case 1 -> frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
      case 2 -> frames.set(at, java.util.Arrays.copyOf(frame, random.nextInt(frame.length + 1)));
      case 3 -> frames.add(random.nextInt(frames.size() + 1), frame.clone());
      case 4 -> frames.add(random.nextInt(frames.size()), frames.remove(at));
      case 5 -> frames.add(at, spliced());
      case 6 -> number(frame);
      case 7 -> frames.add(at, randomFrame());
      case 8 -> frames.set(at, resized(frame));
      case 9 -> frames.add(at, nested());
      case 10 -> frames.set(at, constructor(frame));
      case 11 -> frames.remove(at);
      case 12 -> frames.set(at, meaning.elsewhere(frame));
      case 13, 14, 15, 16 -> frames.set(at, meaning.field(frame));
      case 17, 18 -> frames.add(at, meaning.between());
      default -> repeat(frames, at);
    }
  }

  private void flip(byte[] frame) {
    for (int i = random.nextInt(3); i >= 0; i--) {
      frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
    }
  }

  private byte[] spliced() {
    List<byte[]> other = Transcripts.ALL.get(random.nextInt(Transcripts.ALL.size()));
    return other.get(random.nextInt(other.size())).clone();
  }

  /** A number that is too large, anywhere: sizes, counts, handles, ids, windows. */
  private void number(byte[] frame) {
    if (frame.length >= 4) {
      int value = EXTREMES[random.nextInt(EXTREMES.length)];
      ByteBuffer.wrap(frame).putInt(random.nextInt(frame.length - 3), value);
    }
  }

  private byte[] constructor(byte[] frame) {
    byte[] copy = frame.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = Math.min(copy.length - 1, 8 + random.nextInt(copy.length));
      copy[at] = (byte) CONSTRUCTORS[random.nextInt(CONSTRUCTORS.length)];
    }
    return copy;
  }

  /** Bytes put in or taken out, with the size of the frame right again. */
  private byte[] resized(byte[] frame) {
    if (frame.length < 12) {
      return frame;
    }
    int at = 8 + random.nextInt(frame.length - 8);
    int change = random.nextInt(9) - 4;
    int length = Math.max(at, frame.length + change);
    byte[] out = new byte[length];
    random.nextBytes(out);
    System.arraycopy(frame, 0, out, 0, at);
    int rest = Math.min(frame.length - at, length - at);
    System.arraycopy(frame, frame.length - rest, out, length - rest, rest);
    ByteBuffer.wrap(out).putInt(0, length);
    return out;
  }

  private void repeat(List<byte[]> frames, int at) {
    for (int i = random.nextInt(50); i >= 0; i--) {
      frames.add(at, frames.get(at).clone());
    }
  }

  private byte[] randomFrame() {
    byte[] body = new byte[random.nextInt(200)];
    random.nextBytes(body);
    if (random.nextBoolean() && body.length > 3) {
      body[0] = 0;
      body[1] = 0x53;
      body[2] = (byte) (0x10 + random.nextInt(9));
    }
    return framed(random.nextInt(20) == 0 ? 1 : 0, body);
  }

  private static byte[] framed(int type, byte[] body) {
    ByteBuffer out = ByteBuffer.allocate(8 + body.length);
    return out.putInt(out.capacity()).putInt(2 << 24 | type << 16).put(body).array();
  }

  /** A performative with values within values where anything may be, as deep as fits a frame. */
  private byte[] nested() {
    Object[][] fields = {
      {0x10, "c", null, null, null, null, null, null, null, null},
      {0x11, null, Wire.u(0), Wire.u(9), Wire.u(9), null, null, null},
      {0x12, "n", Wire.u(3), false, null, null, Wire.source("s"), Wire.target("t"), null},
      {0x13, null, Wire.u(9), Wire.u(0), Wire.u(9), null, null, null, null, false, false},
      {0x14, Wire.u(0), Wire.u(0), null, null, false, false, null},
      {0x15, true, Wire.u(0), Wire.u(0), true},
      {0x16, Wire.u(0), true},
      {0x17},
      {0x18}
    };
    Object[] chosen = fields[random.nextInt(fields.length)];
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {0, 0x53, ((Integer) chosen[0]).byteValue(), (byte) 0xd0});
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    for (int i = 1; i < chosen.length; i++) {
      list.writeBytes(Wire.encode(chosen[i]));
    }
    list.writeBytes(nestedValue(100 + random.nextInt(60_000)));
    body.writeBytes(Wire.int32(list.size() + 4));
    body.writeBytes(Wire.int32(chosen.length));
    body.writeBytes(list.toByteArray());
    return framed(0, body.toByteArray());
  }

  private byte[] nestedValue(int size) {
    ByteBuffer value = ByteBuffer.allocate(size);
    if (random.nextBoolean()) {
      value.put((byte) 0xd1).putInt(size - 5).putInt(2);
      value.put((byte) 0xa3).put((byte) 1).put((byte) 'k');
    }
    int kind = random.nextInt(5);
    while (value.remaining() >= 12) {
      int rest = value.remaining();
      switch (kind) {
        case 0 -> value.put((byte) 0);
        case 1 -> value.put((byte) 0xd0).putInt(rest - 5).putInt(1);
        case 2 -> value.put((byte) 0xd1).putInt(rest - 5).putInt(2).put((byte) 0x40);
        case 3 -> value.put((byte) 0).put((byte) 0x53).put((byte) 0x77);
        default -> value.put((byte) 0xf0).putInt(rest - 5).putInt(1);
      }
    }
    while (value.hasRemaining()) {
      value.put((byte) 0x40);
    }
    return value.array();
  }
}
