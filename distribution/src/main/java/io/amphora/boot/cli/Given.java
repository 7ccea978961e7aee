package io.amphora.boot.cli;

import io.amphora.boot.config.Units;

/** Numbers, sizes and durations given on the command line; what they may be is said in a line. */
final class Given {

  private Given() {}

  /**
   * A whole number.
   *
   * @param option its name, for the message
   * @param min smallest, at least 0
   * @param max largest; {@link Long#MAX_VALUE} is not mentioned
   */
  static long whole(String option, String text, long min, long max) {
    String upTo = max == Long.MAX_VALUE ? "" : " to " + max;
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Falls through: what is no number is refused like one out of bounds.
    }
    throw CliFailure.usage(option + " is " + text + "; write a whole number from " + min + upTo);
  }

  /**
   * A duration.
   *
   * @return milliseconds, at least 1
   */
  static long millis(String option, String text) {
    try {
      long millis = Units.millis(text);
      if (millis >= 1) {
        return millis;
      }
    } catch (IllegalArgumentException e) {
      // Falls through.
    }
    throw CliFailure.usage(option + " is " + text + "; write a duration from 1ms: 500ms, 10s, 14d");
  }

  /**
   * A size.
   *
   * @param min smallest, bytes
   * @return bytes
   */
  static long bytes(String option, String text, long min) {
    try {
      long bytes = Units.bytes(text);
      if (bytes >= min) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Falls through.
    }
    throw CliFailure.usage(
        option
            + " is "
            + text
            + "; write a size from "
            + Units.formatBytes(min)
            + ": 512B, 64KiB, 10GiB");
  }

  /** An address, which is never empty. */
  static String address(String text) {
    if (text.isBlank()) {
      throw CliFailure.usage("the address is empty; write a topic, or topic::group");
    }
    return text;
  }
}
