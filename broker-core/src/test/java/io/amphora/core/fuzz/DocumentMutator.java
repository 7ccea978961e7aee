package io.amphora.core.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** Damages a document: bits, bytes, numbers, cuts, copies, words of JSON, encodings, nesting. */
final class DocumentMutator {

  private static final List<String> WORDS =
      List.of(
          "null",
          "true",
          "-1",
          "0",
          "1e999999999",
          "0.5",
          "2147483648",
          "9223372036854775808",
          "9".repeat(3000),
          "\"\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "{}",
          "[]",
          "[null]",
          "{\"a\":{\"a\":1}}",
          "[".repeat(50_000),
          "{\"a\":".repeat(20_000),
          "\"" + "x".repeat(100_000) + "\"");

  private static final List<Charset> CHARSETS =
      List.of(
          StandardCharsets.UTF_16,
          StandardCharsets.UTF_16LE,
          StandardCharsets.ISO_8859_1,
          Charset.forName("UTF-32"));

  private final Random random;

  DocumentMutator(Random random) {
    this.random = random;
  }

  /** A good document of the kind, damaged a few times, or nothing but noise. */
  byte[] mutated(DocumentKind kind) {
    byte[] bytes;
    if (random.nextInt(20) == 0) {
      bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
    } else {
      bytes = sample(kind).clone();
      for (int times = random.nextInt(3); times >= 0; times--) {
        bytes = once(bytes, kind);
      }
    }
    return kind.checksum() && random.nextInt(10) > 0 ? withChecksum(bytes) : bytes;
  }

  private byte[] sample(DocumentKind kind) {
    return kind.samples().get(random.nextInt(kind.samples().size()));
  }

  private byte[] once(byte[] bytes, DocumentKind kind) {
    if (bytes.length == 0) {
      return sample(kind).clone();
    }
    int at = random.nextInt(bytes.length);
    int length = random.nextInt(bytes.length - at + 1);
    return switch (random.nextInt(9)) {
      case 0 -> changed(bytes, at, (byte) (bytes[at] ^ 1 << random.nextInt(8)));
      case 1 -> changed(bytes, at, (byte) random.nextInt(256));
      case 2 -> Arrays.copyOf(bytes, at);
      case 3 -> joined(bytes, at, new byte[0], Math.min(bytes.length, at + length % 40));
      case 4 -> joined(bytes, at, Arrays.copyOfRange(bytes, at, at + length), at);
      case 5 -> number(bytes, at);
      case 6 -> word(bytes, at);
      case 7 -> new String(bytes, StandardCharsets.UTF_8).getBytes(charset());
      default -> joined(bytes, at, part(sample(kind)), at);
    };
  }

  private Charset charset() {
    return CHARSETS.get(random.nextInt(CHARSETS.size()));
  }

  private byte[] part(byte[] other) {
    int from = random.nextInt(other.length);
    return Arrays.copyOfRange(other, from, from + random.nextInt(other.length - from + 1));
  }

  private static byte[] changed(byte[] bytes, int at, byte value) {
    bytes[at] = value;
    return bytes;
  }

  /** {@code middle} instead of what is from {@code at} to {@code end}. */
  private static byte[] joined(byte[] bytes, int at, byte[] middle, int end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    out.writeBytes(middle);
    out.write(bytes, end, bytes.length - end);
    return out.toByteArray();
  }

  private byte[] number(byte[] bytes, int at) {
    int[] extremes = {0, 1, -1, 2, 0x7FFFFFFF, 0x80000000, 0x00FFFFFF, random.nextInt()};
    if (bytes.length - at >= Integer.BYTES) {
      ByteBuffer.wrap(bytes).putInt(at, extremes[random.nextInt(extremes.length)]);
    }
    return bytes;
  }

  /** A value of JSON instead of the one behind the next colon, or just there. */
  private byte[] word(byte[] bytes, int at) {
    byte[] word = WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
    int from = at;
    while (from < bytes.length && bytes[from] != ':') {
      from++;
    }
    if (from == bytes.length) {
      return joined(bytes, at, word, at);
    }
    int end = from + 1;
    while (end < bytes.length && ",}\n".indexOf(bytes[end]) < 0) {
      end++;
    }
    return joined(bytes, from + 1, word, end);
  }

  private static byte[] withChecksum(byte[] bytes) {
    if (bytes.length >= Integer.BYTES) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, bytes.length - Integer.BYTES);
      ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
    }
    return bytes;
  }
}
