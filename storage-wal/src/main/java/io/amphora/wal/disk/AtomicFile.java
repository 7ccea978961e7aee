package io.amphora.wal.disk;

import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A small file that is replaced as a whole: new file, force, rename, force the directory. Its
 * envelope is a magic number, the length and a CRC-32C, so that damage is noticed (docs/protocol.md
 * "Envelope"). Used by the disk thread.
 */
final class AtomicFile {

  /** Ends the name of a file that is being written; erased at start. */
  static final String TEMPORARY = ".tmp";

  /** Bounds what a damaged length can make us allocate. */
  static final int MAX_CONTENT = Wal.MAX_DOCUMENT_BYTES;

  private static final int MAGIC = 0x414d5031; // AMP1
  private static final int ENVELOPE = 12;

  private AtomicFile() {}

  /** Writes the content so that after a crash either the old or the new one is there. */
  static void replace(Files files, Path file, byte[] content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
    write(files, temporary, content);
    files.rename(temporary, file);
    files.forceDirectory(parent(file));
  }

  /** Writes and forces the file itself; its name is not durable yet. */
  static void write(Files files, Path file, byte[] content) throws IOException {
    if (content.length > MAX_CONTENT) { // it could not be read again
      throw new IOException(file + " would hold " + content.length + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate(ENVELOPE + content.length);
    bytes.putInt(MAGIC).putInt(content.length).putInt(crc(content)).put(content).flip();
    try (Files.Handle handle = files.open(file, Files.Mode.CREATE)) {
      handle.truncate(0);
      handle.write(bytes, 0);
      handle.force();
    }
  }

  /**
   * Content of the file; empty when there is none.
   *
   * @throws WalException {@code CORRUPT} when the envelope does not fit
   */
  static Optional<byte[]> read(Files files, Path file) throws IOException {
    if (!files.exists(file)) {
      return Optional.empty();
    }
    try (Files.Handle handle = files.open(file, Files.Mode.READ)) {
      long size = handle.size();
      if (size < ENVELOPE || size > ENVELOPE + MAX_CONTENT) {
        throw damaged(file);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      readFully(handle, bytes, 0);
      bytes.flip();
      if (bytes.remaining() != size || bytes.getInt() != MAGIC || bytes.getInt() != size - 12) {
        throw damaged(file);
      }
      int crc = bytes.getInt();
      byte[] content = new byte[bytes.remaining()];
      bytes.get(content);
      if (crc != crc(content)) {
        throw damaged(file);
      }
      return Optional.of(content);
    }
  }

  /** Reads until the buffer is full or the file ends. */
  static void readFully(Files.Handle handle, ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int read = handle.read(target, at);
      if (read <= 0) {
        return;
      }
      at += read;
    }
  }

  static int crc(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, content.length);
    return (int) crc.getValue();
  }

  static Path parent(Path file) {
    Path parent = file.getParent();
    return parent == null ? Path.of(".") : parent;
  }

  private static WalException damaged(Path file) {
    return new WalException(
        WalException.Kind.CORRUPT,
        file + " is damaged: its length or checksum is wrong. Nothing was deleted");
  }
}
