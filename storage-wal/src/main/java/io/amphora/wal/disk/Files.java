package io.amphora.wal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The seam to the operating system. The log touches the disk only through it, so that a test can
 * lose power, tear writes, fail forces and fill the disk. Nothing is durable before it was forced:
 * the content of a file by {@link Handle#force}, its name by {@link #forceDirectory}.
 */
public interface Files {

  /** How a file is opened. */
  enum Mode {
    /** An existing file, for reading. */
    READ,
    /** An existing file, for reading and writing. */
    WRITE,
    /** For reading and writing; made when it does not exist. */
    CREATE
  }

  /** An open file. One owner thread. */
  interface Handle extends Closeable {

    /** Reads up to {@code target.remaining()} bytes; -1 at the end of the file. */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Writes all remaining bytes. On an exception some of them may be in the file.
     *
     * @throws DiskFullException when no space is left
     */
    void write(ByteBuffer source, long position) throws IOException;

    /** Shortens the file; does nothing when it is not longer than {@code size}. */
    void truncate(long size) throws IOException;

    /** Length in bytes. */
    long size() throws IOException;

    /** Makes content and length durable (fdatasync). Never to be repeated after it failed. */
    void force() throws IOException;
  }

  /** No space is left on the device, or the quota is used up. */
  final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Keeps the error of the operating system as the cause. */
    public DiskFullException(String message) {
      super(message);
    }
  }

  /** Another process, or another store of this process, holds the lock. */
  final class LockedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says which file is locked. */
    public LockedException(String message) {
      super(message);
    }
  }

  Handle open(Path file, Mode mode) throws IOException;

  /** Names of files and folders in a directory, sorted; empty when it does not exist. */
  List<String> list(Path directory) throws IOException;

  boolean exists(Path path);

  /** Makes a directory and its parents; does nothing when it exists. */
  void createDirectories(Path directory) throws IOException;

  /** Atomic; replaces {@code to} when that is a file. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file or an empty directory; does nothing when it does not exist. */
  void delete(Path path) throws IOException;

  /** Makes the names in a directory durable. */
  void forceDirectory(Path directory) throws IOException;

  /** Free bytes for this user. */
  long freeBytes(Path directory) throws IOException;

  /** Size of the file system in bytes. */
  long totalBytes(Path directory) throws IOException;

  /**
   * Takes an exclusive lock; closing the result releases it.
   *
   * @throws LockedException when it is held elsewhere
   */
  Closeable lock(Path file) throws IOException;
}
