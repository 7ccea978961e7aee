package io.amphora.boot.cli;

import io.amphora.boot.config.Units;

/** Durations given on the command line. */
final class CliDurations {

  private CliDurations() {}

  /**
   * @param option its name, for the message
   * @return milliseconds, at least 1
   */
  static long millis(String option, String text) {
    try {
      return Math.max(1, Units.millis(text));
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(option + " " + text + " is no duration; write 500ms, 10s, 5m");
    }
  }
}
