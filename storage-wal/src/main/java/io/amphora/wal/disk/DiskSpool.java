package io.amphora.wal.disk;

import io.amphora.wal.Spool;
import io.amphora.wal.SpooledBody;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/** The owner's side of a spool: turns calls into commands. Owned by who opened it. */
final class DiskSpool implements Spool {

  private final SpoolFile file;
  private final DiskThread disk;
  private final Owner owner;
  private long asked;
  private long answered;
  private int checksum;
  private boolean failed;
  private boolean ended;

  DiskSpool(SpoolFile file, DiskThread disk, Owner owner) {
    this.file = file;
    this.disk = disk;
    this.owner = owner;
  }

  @Override
  public void write(byte[] bytes, int start, int length, Consumer<WalResult<Long>> done) {
    Objects.checkFromIndexSize(start, length, bytes.length);
    if (length < 1 || length > MAX_WRITE_BYTES || asked + length > MAX_BYTES) {
      throw new IllegalArgumentException(length + " bytes behind " + asked);
    }
    if (ended) {
      owner.failed(done, new WalException(WalException.Kind.CLOSED, "the spool has ended"));
      return;
    }
    ByteBuffer piece = ByteBuffer.wrap(bytes, start, length);
    asked += length;
    boolean queued =
        disk.aside(
            length,
            owner,
            () -> file.write(piece),
            result -> {
              onWritten(result);
              done.accept(
                  result instanceof WalResult.Ok<SpoolFile.Written> ok ? size(ok) : no(result));
            });
    if (!queued) {
      asked -= length;
      owner.failed(done, disk.whyNot());
    }
  }

  private static WalResult<Long> size(WalResult.Ok<SpoolFile.Written> ok) {
    return new WalResult.Ok<>(ok.value().size());
  }

  private static WalResult<Long> no(WalResult<SpoolFile.Written> result) {
    return new WalResult.Failed<>(((WalResult.Failed<SpoolFile.Written>) result).error());
  }

  private void onWritten(WalResult<SpoolFile.Written> result) {
    if (result instanceof WalResult.Ok<SpoolFile.Written> ok) {
      answered = ok.value().size();
      checksum = ok.value().checksum();
    } else {
      failed = true;
    }
  }

  @Override
  public long size() {
    return answered;
  }

  @Override
  public SpooledBody finish() {
    if (ended || failed || asked != answered) {
      throw new IllegalStateException(
          "%s cannot be finished: %d of %d bytes written".formatted(file, answered, asked));
    }
    ended = true;
    return new Body(file, disk, (int) answered, checksum);
  }

  @Override
  public void discard() {
    if (!ended) {
      ended = true;
      disk.erase(file);
    }
  }

  /** A finished spool. Once a log has taken it, it is the disk thread's alone. */
  record Body(SpoolFile file, DiskThread disk, int size, int checksum) implements SpooledBody {
    @Override
    public void erase() {
      disk.erase(file);
    }
  }
}
