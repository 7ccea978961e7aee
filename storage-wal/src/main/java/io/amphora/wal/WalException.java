package io.amphora.wal;

/** A log request that failed, by what the caller can do about it. */
public final class WalException extends RuntimeException {

  /** What went wrong. */
  public enum Kind {
    /** No space is left, or less than the reserve. Try again later. */
    DISK_FULL,
    /** Stored bytes do not match their checksum or order; the message names file and offset. */
    CORRUPT,
    /** The offset is below the log start or above the end. */
    OUT_OF_RANGE,
    /** The data directory is used by another process. */
    LOCKED,
    /** The bounded command queue of the disk thread is full. Slow down. */
    BUSY,
    /**
     * The operating system reported an error that cannot be explained (a failed force included).
     */
    IO,
    /** The log or the whole store was closed or deleted. */
    CLOSED
  }

  private static final long serialVersionUID = 1L;

  private final Kind kind;

  public WalException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public WalException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
