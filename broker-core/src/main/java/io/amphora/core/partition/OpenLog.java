package io.amphora.core.partition;

import io.amphora.core.replication.EpochHistory;
import io.amphora.wal.LogState;
import io.amphora.wal.WalLog;

/** An open log with what the partition knows of it. Owned by the partition loop. */
final class OpenLog {

  final WalLog log;
  final EpochHistory history;

  /** As the disk thread told last. */
  LogState state;

  /** Offset after the last batch handed to the log and not rejected. */
  long appendedEnd;

  /** Largest append time in the log, milliseconds since 1970: times never go back. */
  long lastTimestamp;

  OpenLog(WalLog log, LogState state, long lastTimestamp) {
    this.log = log;
    this.history = new EpochHistory(log.epochs());
    this.state = state;
    this.appendedEnd = state.writtenEnd();
    this.lastTimestamp = lastTimestamp;
  }

  /** What was appended from {@code fromOffset} on is not in the log. */
  void onRejected(long fromOffset) {
    appendedEnd = fromOffset;
    history.truncateTo(fromOffset);
  }
}
