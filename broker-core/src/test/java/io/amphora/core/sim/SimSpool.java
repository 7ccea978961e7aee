package io.amphora.core.sim;

import io.amphora.wal.Spool;
import io.amphora.wal.SpooledBody;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** A spool of a {@link SimWal}: its bytes are gone with the process. */
final class SimSpool implements Spool {

  private final SimWal wal;
  private final Executor owner;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long asked;
  private long answered;
  private boolean ended;
  private boolean erased;

  SimSpool(SimWal wal, Executor owner) {
    this.wal = wal;
    this.owner = owner;
  }

  @Override
  public void write(byte[] bytes, int start, int length, Consumer<WalResult<Long>> done) {
    if (wal.disk.queueFull) {
      owner.execute(() -> done.accept(SimWal.failed(WalException.Kind.BUSY, "queue full")));
      return;
    }
    asked += length;
    wal.thread.execute(
        () -> {
          byte[] piece = Arrays.copyOfRange(bytes, start, start + length);
          WalResult<Long> result = writeNow(piece);
          owner.execute(
              () -> {
                answered = result instanceof WalResult.Ok<Long> ok ? ok.value() : answered;
                done.accept(result);
              });
        });
  }

  private WalResult<Long> writeNow(byte[] piece) {
    if (erased) {
      return SimWal.failed(WalException.Kind.CLOSED, "the spool was erased");
    }
    if (wal.disk.full) {
      eraseNow();
      return SimWal.failed(WalException.Kind.DISK_FULL, "no space");
    }
    written.writeBytes(piece);
    return new WalResult.Ok<>((long) written.size());
  }

  @Override
  public long size() {
    return answered;
  }

  @Override
  public SpooledBody finish() {
    if (ended || asked != answered) {
      throw new IllegalStateException("cannot be finished");
    }
    ended = true;
    CRC32C crc = new CRC32C();
    crc.update(written.toByteArray());
    return new Body(this, (int) answered, (int) crc.getValue());
  }

  @Override
  public void discard() {
    if (!ended) {
      ended = true;
      wal.thread.execute(this::eraseNow);
    }
  }

  private void eraseNow() {
    if (!erased) {
      erased = true;
      wal.spools.remove(this);
    }
  }

  /** A finished spool. */
  record Body(SimSpool spool, int size, int checksum) implements SpooledBody {
    byte[] content() {
      if (spool.erased) {
        throw new IllegalStateException("the spool is erased");
      }
      return spool.written.toByteArray();
    }

    @Override
    public void erase() {
      spool.wal.thread.execute(spool::eraseNow);
    }
  }
}
