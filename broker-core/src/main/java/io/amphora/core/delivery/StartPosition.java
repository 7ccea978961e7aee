package io.amphora.core.delivery;

/** Where a group without a position, or a reader, starts. */
public sealed interface StartPosition {

  /** First record that exists. */
  record Earliest() implements StartPosition {}

  /** Only what is appended from now on. */
  record Latest() implements StartPosition {}

  /** The last message there is, and what is appended from now on. */
  record Last() implements StartPosition {}

  /** This offset; the log start when it is gone. */
  record AtOffset(long offset) implements StartPosition {}

  /** First record appended at or after this time, milliseconds since 1970. */
  record AtTime(long millis) implements StartPosition {}

  /**
   * Where another group is now, without what that group has done; the log start when it has no
   * position. Makes a browser; for groups that are not ephemeral it is {@link Earliest}.
   *
   * @param group full name of that group
   */
  record AsGroup(String group) implements StartPosition {}

  StartPosition EARLIEST = new Earliest();

  StartPosition LATEST = new Latest();

  StartPosition LAST = new Last();
}
