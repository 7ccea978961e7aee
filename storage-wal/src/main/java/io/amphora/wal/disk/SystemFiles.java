package io.amphora.wal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real file system. Stateless. */
final class SystemFiles implements Files {

  @Override
  public Handle open(Path file, Mode mode) throws IOException {
    Set<StandardOpenOption> options =
        switch (mode) {
          case READ -> Set.of(StandardOpenOption.READ);
          case WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
          case CREATE ->
              Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        };
    try {
      return new ChannelHandle(FileChannel.open(file, options));
    } catch (IOException e) {
      throw explained(e);
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    try (Stream<Path> entries = java.nio.file.Files.list(directory)) {
      return entries.map(path -> String.valueOf(path.getFileName())).sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
  }

  @Override
  public boolean exists(Path path) {
    // what cannot be told is taken for there: opening it says why, and nothing is made in its place
    return !java.nio.file.Files.notExists(path);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    try {
      java.nio.file.Files.createDirectories(directory);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    try {
      java.nio.file.Files.move(
          from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    java.nio.file.Files.deleteIfExists(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long freeBytes(Path directory) throws IOException {
    return java.nio.file.Files.getFileStore(directory).getUsableSpace();
  }

  @Override
  public long totalBytes(Path directory) throws IOException {
    return java.nio.file.Files.getFileStore(directory).getTotalSpace();
  }

  @Override
  public Closeable lock(Path file) throws IOException {
    return lock(
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), file, false);
  }

  /**
   * Keeps everybody from the exclusive lock, and needs no right to write. A file that does not
   * exist is not made: nobody ever took it.
   *
   * @throws LockedException when the exclusive lock is held elsewhere
   */
  static Closeable lockShared(Path file) throws IOException {
    if (!java.nio.file.Files.exists(file)) {
      return () -> {};
    }
    return lock(FileChannel.open(file, StandardOpenOption.READ), file, true);
  }

  private static Closeable lock(FileChannel channel, Path file, boolean shared) throws IOException {
    try {
      @Nullable FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // held by this very process: the same answer as for another one, below
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new LockedException(file + " is locked");
  }

  /** The JDK has no type for a full disk; only the text of errno tells it. */
  static IOException explained(IOException e) {
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      DiskFullException full = new DiskFullException(String.valueOf(e.getMessage()));
      full.initCause(e);
      return full;
    }
    return e;
  }

  private record ChannelHandle(FileChannel channel) implements Handle {

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return channel.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      try {
        long at = position;
        while (source.hasRemaining()) {
          at += channel.write(source, at);
        }
      } catch (IOException e) {
        throw explained(e);
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
