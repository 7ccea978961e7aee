package io.amphora.core.partition;

import io.amphora.wal.WalLog;

/**
 * Which piece of the body of a record to read.
 *
 * @param offset offset of the record
 * @param from first byte of the piece, 0 to the body's length
 * @param length most bytes, 1 to {@link WalLog#MAX_BODY_READ_BYTES}; fewer come when the body ends
 */
public record BodyRequest(long offset, long from, int length) {

  public BodyRequest {
    if (from < 0 || length < 1 || length > WalLog.MAX_BODY_READ_BYTES) {
      throw new IllegalArgumentException(length + " bytes from " + from);
    }
  }
}
