package io.amphora.core.partition;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.wal.WalException;

/** The one place where errors of the log become errors of the core. */
public final class WalErrors {

  private WalErrors() {}

  /** The code by what the caller can do. */
  public static ErrorCode codeOf(WalException.Kind kind) {
    return switch (kind) {
      case DISK_FULL, BUSY -> ErrorCode.RESOURCE_LIMIT;
      case CORRUPT -> ErrorCode.CORRUPT;
      case OUT_OF_RANGE -> ErrorCode.NOT_FOUND;
      case CLOSED -> ErrorCode.NOT_LEADER;
      case LOCKED, IO -> ErrorCode.INTERNAL;
    };
  }

  /**
   * The error with its context.
   *
   * @param what what could not be done, a sentence without its end
   */
  public static BrokerException toBroker(String what, WalException error) {
    return new BrokerException(codeOf(error.kind()), what + ": " + error.getMessage(), error);
  }
}
