package io.amphora.amqp.testkit;

import io.amphora.core.Loop;
import io.amphora.wal.Spool;
import io.amphora.wal.SpooledBody;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** A spool in memory. */
public final class FakeSpool implements Spool {

  private final Loop owner;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long answered;
  private boolean finished;
  private volatile boolean erased;

  /** What the next writes come to instead of success. */
  public Optional<WalException> failure = Optional.empty();

  FakeSpool(Loop owner) {
    this.owner = owner;
  }

  /** Whether nothing would be left on a disk. */
  public boolean isErased() {
    return erased;
  }

  @Override
  public void write(byte[] bytes, int start, int length, Consumer<WalResult<Long>> done) {
    if (failure.isPresent() || erased) {
      WalException error =
          failure.orElseGet(() -> new WalException(WalException.Kind.CLOSED, "discarded"));
      erased |= error.kind() != WalException.Kind.BUSY;
      owner.execute(() -> done.accept(new WalResult.Failed<>(error)));
      return;
    }
    written.write(bytes, start, length);
    long size = written.size();
    owner.execute(
        () -> {
          answered = size;
          done.accept(new WalResult.Ok<>(size));
        });
  }

  @Override
  public long size() {
    return answered;
  }

  @Override
  public SpooledBody finish() {
    if (finished || erased || answered != written.size()) {
      throw new IllegalStateException("the spool cannot be finished");
    }
    finished = true;
    CRC32C crc = new CRC32C();
    crc.update(written.toByteArray());
    return new Body(this, written.toByteArray(), (int) crc.getValue());
  }

  @Override
  public void discard() {
    erased |= !finished;
  }

  /** What was spooled. */
  record Body(FakeSpool spool, byte[] content, int checksum) implements SpooledBody {
    @Override
    public int size() {
      return content.length;
    }

    @Override
    public void erase() {
      spool.erased = true;
    }
  }
}
