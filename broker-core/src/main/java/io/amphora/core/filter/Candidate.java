package io.amphora.core.filter;

import io.amphora.wal.LogRecord;

/**
 * A record that may be handed to somebody.
 *
 * @param record the record
 * @param partition where it comes from
 * @param attempts failed deliveries so far
 * @param front the first bytes of its body, {@link #FRONT_BYTES} at most, when the record is not
 *     whole; else empty
 */
public record Candidate(LogRecord record, int partition, int attempts, byte[] front) {
  /** What filters see of the body of a large message: its properties, as far as they fit. */
  public static final int FRONT_BYTES = 64 << 10;
}
