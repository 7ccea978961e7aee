package io.amphora.wal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The real file system, which remembers the largest piece that was read or written at once. */
final class MeteredFiles implements Files {

  private final Files files = new SystemFiles();
  private final AtomicInteger largest = new AtomicInteger();

  int largest() {
    return largest.get();
  }

  @Override
  public Handle open(Path file, Mode mode) throws IOException {
    return new Metered(files.open(file, mode));
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return files.list(directory);
  }

  @Override
  public boolean exists(Path path) {
    return files.exists(path);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    files.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    files.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    files.forceDirectory(directory);
  }

  @Override
  public long freeBytes(Path directory) throws IOException {
    return files.freeBytes(directory);
  }

  @Override
  public long totalBytes(Path directory) throws IOException {
    return files.totalBytes(directory);
  }

  @Override
  public Closeable lock(Path file) throws IOException {
    return files.lock(file);
  }

  private final class Metered implements Handle {
    private final Handle handle;

    Metered(Handle handle) {
      this.handle = handle;
    }

    private void meter(ByteBuffer buffer) {
      largest.accumulateAndGet(buffer.remaining(), Math::max);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      meter(target);
      return handle.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      meter(source);
      handle.write(source, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      handle.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return handle.size();
    }

    @Override
    public void force() throws IOException {
      handle.force();
    }

    @Override
    public void close() throws IOException {
      handle.close();
    }
  }
}
