package io.amphora.core.position;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Binary form of positions in {@code __positions}: a version byte, then unsigned LEB128 numbers;
 * sorted offsets are written as distances. Decoding is strict: what {@link #encode} cannot have
 * written is {@code CORRUPT}.
 */
public final class PositionCodec {
  static final byte VERSION = 1;
  private static final int KEY_BYTES = 1 + 16 + 16 + 4;

  private PositionCodec() {}

  /** The record key of a position. */
  public static byte[] encodeKey(PositionKey key) {
    return ByteBuffer.allocate(KEY_BYTES)
        .put(VERSION)
        .putLong(key.groupId().getMostSignificantBits())
        .putLong(key.groupId().getLeastSignificantBits())
        .putLong(key.topicId().getMostSignificantBits())
        .putLong(key.topicId().getLeastSignificantBits())
        .putInt(key.partition())
        .array();
  }

  /**
   * @throws BrokerException {@code CORRUPT}
   */
  public static PositionKey decodeKey(ByteBuffer in) {
    if (in.remaining() != KEY_BYTES || in.get() != VERSION) {
      throw corrupt("not a position key of version " + VERSION);
    }
    UUID group = new UUID(in.getLong(), in.getLong());
    UUID topic = new UUID(in.getLong(), in.getLong());
    int partition = in.getInt();
    if (partition < 0) {
      throw corrupt("negative partition " + partition);
    }
    return new PositionKey(group, topic, partition);
  }

  /** The record body of a position that is normalised. */
  public static byte[] encode(Position position) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(16 + 4 * position.done().size());
    out.write(VERSION);
    writeNumber(out, position.reset().epoch());
    writeNumber(out, position.reset().counter());
    writeNumber(out, position.committed());
    writeRanges(out, position.done());
    SortedMap<Long, Integer> attempts = new TreeMap<>(position.attempts());
    writeNumber(out, attempts.size());
    long last = 0;
    for (Map.Entry<Long, Integer> entry : attempts.entrySet()) {
      writeNumber(out, entry.getKey() - last);
      writeNumber(out, entry.getValue());
      last = entry.getKey();
    }
    writeRanges(out, position.parked());
    return out.toByteArray();
  }

  private static void writeRanges(ByteArrayOutputStream out, List<OffsetRange> ranges) {
    writeNumber(out, ranges.size());
    long last = 0;
    for (OffsetRange range : ranges) {
      writeNumber(out, range.from() - last);
      writeNumber(out, range.to() - range.from());
      last = range.to();
    }
  }

  private static void writeNumber(ByteArrayOutputStream out, long number) {
    if (number < 0) {
      throw new IllegalArgumentException("negative number in a position: " + number);
    }
    long rest = number;
    while (rest > 0x7f) {
      out.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /**
   * @throws BrokerException {@code CORRUPT}
   */
  public static Position decode(ByteBuffer in) {
    if (!in.hasRemaining() || in.get() != VERSION) {
      throw corrupt("not a position of version " + VERSION);
    }
    Reset reset = new Reset(readInt(in), readInt(in));
    long committed = readNumber(in);
    List<OffsetRange> done = readRanges(in);
    Map<Long, Integer> attempts = readAttempts(in);
    List<OffsetRange> parked = readRanges(in);
    Position position = new Position(reset, committed, done, attempts, parked);
    if (in.hasRemaining() || !PositionMerge.normalise(position).equals(position)) {
      throw corrupt("a position that is not normalised, or bytes behind it");
    }
    return position;
  }

  private static List<OffsetRange> readRanges(ByteBuffer in) {
    int count = readCount(in);
    List<OffsetRange> ranges = new ArrayList<>(count);
    long last = 0;
    for (int i = 0; i < count; i++) {
      long from = plus(last, readNumber(in));
      long to = plus(from, readNumber(in));
      ranges.add(new OffsetRange(from, to));
      last = to;
    }
    return List.copyOf(ranges);
  }

  private static Map<Long, Integer> readAttempts(ByteBuffer in) {
    int count = readCount(in);
    TreeMap<Long, Integer> attempts = new TreeMap<>();
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = plus(last, readNumber(in));
      if (attempts.put(last, readInt(in)) != null) {
        throw corrupt("attempts of offset " + last + " twice");
      }
    }
    return Collections.unmodifiableSortedMap(attempts);
  }

  /** Every element takes two bytes or more, so a count cannot ask for more memory than was sent. */
  private static int readCount(ByteBuffer in) {
    long count = readNumber(in);
    if (count > in.remaining() / 2) {
      throw corrupt("count " + count + " with " + in.remaining() + " bytes left");
    }
    return (int) count;
  }

  private static long plus(long a, long b) {
    long sum = a + b;
    if (sum < 0) {
      throw corrupt("an offset beyond 2^63");
    }
    return sum;
  }

  private static int readInt(ByteBuffer in) {
    long number = readNumber(in);
    if (number > Integer.MAX_VALUE) {
      throw corrupt("number " + number + " is too large");
    }
    return (int) number;
  }

  private static long readNumber(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      if (!in.hasRemaining()) {
        throw corrupt("a position that is cut");
      }
      byte next = in.get();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw corrupt("a number beyond 2^63");
  }

  private static BrokerException corrupt(String what) {
    return new BrokerException(ErrorCode.CORRUPT, "__positions holds " + what);
  }
}
