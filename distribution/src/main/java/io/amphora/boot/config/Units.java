package io.amphora.boot.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write them: {@code 64MiB}, {@code 10s}. */
public final class Units {

  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18})\\s*([A-Za-z]*)");

  private static final Map<String, Long> SIZES =
      Map.of(
          "",
          1L,
          "B",
          1L,
          "KiB",
          1L << 10,
          "MiB",
          1L << 20,
          "GiB",
          1L << 30,
          "TiB",
          1L << 40,
          "KB",
          1_000L,
          "MB",
          1_000_000L,
          "GB",
          1_000_000_000L,
          "TB",
          1_000_000_000_000L);

  private static final Map<String, Long> TIMES =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private Units() {}

  /**
   * @param text digits and B, KiB, MiB, GiB, TiB, KB, MB, GB, TB or nothing (bytes)
   * @return bytes
   * @throws IllegalArgumentException when it is not a size
   */
  public static long bytes(String text) {
    return quantity(text, SIZES);
  }

  /**
   * @param text digits and ms, s, m, h or d
   * @return milliseconds
   * @throws IllegalArgumentException when it is not a duration
   */
  public static long millis(String text) {
    return quantity(text, TIMES);
  }

  /** Bytes in the largest binary unit that shows them exactly. */
  public static String formatBytes(long bytes) {
    String[] names = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    long value = bytes;
    while (unit < names.length - 1 && value != 0 && value % 1024 == 0) {
      value /= 1024;
      unit++;
    }
    return value + names[unit];
  }

  private static long quantity(String text, Map<String, Long> units) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a quantity: " + text);
    }
    Long unit = units.get(matcher.group(2));
    if (unit == null) {
      throw new IllegalArgumentException("unknown unit: " + text);
    }
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("too large: " + text, e);
    }
  }
}
