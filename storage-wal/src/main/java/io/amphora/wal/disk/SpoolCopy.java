package io.amphora.wal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A spool on its way into a segment, piece by piece. The checksum of what is read back is compared
 * before the last piece is handed out: a batch whose body changed on the disk is never written as a
 * whole. Owned by the disk thread.
 */
final class SpoolCopy {

  /** The spool cannot be read back as it was written. */
  static final class UnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableException(String message, Throwable cause) {
      super(message, cause);
    }

    UnusableException(String message) {
      super(message);
    }
  }

  private final DiskSpool.Body body;
  private final CRC32C crc = new CRC32C();
  private int copied;

  SpoolCopy(DiskSpool.Body body) {
    this.body = body;
  }

  boolean isDone() {
    return copied == body.size();
  }

  /**
   * Puts the next bytes into the buffer.
   *
   * @param most at least 1
   * @return how many were put
   */
  int fill(ByteBuffer target, int most) throws UnusableException {
    int length = Math.min(Math.min(target.remaining(), most), body.size() - copied);
    int before = target.position();
    int limit = target.limit();
    target.limit(before + length);
    read(target);
    if (target.hasRemaining()) {
      throw new UnusableException(body.file() + " is shorter than what was written to it");
    }
    target.limit(limit);
    crc.update(target.duplicate().flip().position(before));
    copied += length;
    if (isDone() && (int) crc.getValue() != body.checksum()) {
      throw new UnusableException(body.file() + " does not hold what was written to it");
    }
    return length;
  }

  private void read(ByteBuffer target) throws UnusableException {
    try {
      body.file().read(target, copied);
    } catch (IOException e) {
      throw new UnusableException(body.file() + " cannot be read", e);
    }
  }
}
