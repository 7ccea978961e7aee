package io.amphora.core.partition;

import io.amphora.core.BrokerException;

/** Told about leadership of one partition, on its loop. Dispatch stands behind this. */
public interface LeadershipListener {

  /** This broker leads, and its epoch start is committed (docs/safety-rules.md). */
  void onLeading(CommittedLog log);

  /** The high watermark or the log start moved. */
  void onProgress();

  /** Leadership is over; nothing more may be dispatched or journaled under its epoch. */
  void onStopped(BrokerException reason);
}
