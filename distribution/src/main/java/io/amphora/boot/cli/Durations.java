package io.amphora.boot.cli;

/** Milliseconds as people read them. */
final class Durations {

  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Durations() {}

  /** The largest unit that shows it exactly; {@code unlimited} for the largest number. */
  static String text(long millis) {
    if (millis == Long.MAX_VALUE || millis < 0) {
      return "unlimited";
    }
    if (millis % DAY == 0) {
      return millis / DAY + "d";
    }
    if (millis % HOUR == 0) {
      return millis / HOUR + "h";
    }
    if (millis % MINUTE == 0) {
      return millis / MINUTE + "m";
    }
    return millis % SECOND == 0 ? millis / SECOND + "s" : millis + "ms";
  }
}
