package io.amphora.core.delivery;

/** Where a group without a position, or a reader, starts. */
public sealed interface StartPosition {

  /** First record that exists. */
  record Earliest() implements StartPosition {}

  /** Only what is appended from now on. */
  record Latest() implements StartPosition {}

  /** This offset; the log start when it is gone. */
  record AtOffset(long offset) implements StartPosition {}

  /** First record appended at or after this time, milliseconds since 1970. */
  record AtTime(long millis) implements StartPosition {}

  StartPosition EARLIEST = new Earliest();

  StartPosition LATEST = new Latest();
}
