package io.amphora.wal.disk;

import io.amphora.wal.WalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of one spool, made by its first write. Owned by the disk thread. */
final class SpoolFile {

  private static final Logger LOG = LoggerFactory.getLogger(SpoolFile.class);

  /** How far the file is. */
  record Written(long size, int checksum) {}

  private final SpoolFolder folder;
  private final Path path;
  private final CRC32C crc = new CRC32C();
  private Files.@Nullable Handle handle;
  private long size;
  private boolean erased;

  SpoolFile(SpoolFolder folder, Path path) {
    this.folder = folder;
    this.path = path;
  }

  /** Adds bytes. When that fails the file is erased at once: half a message is of no use. */
  Written write(ByteBuffer bytes) throws IOException {
    if (erased) {
      throw new WalException(WalException.Kind.CLOSED, "the spool was erased");
    }
    try {
      Optional<WalException> refusal = folder.refusal();
      if (refusal.isPresent()) {
        throw refusal.get();
      }
      crc.update(bytes.duplicate());
      int length = bytes.remaining();
      file().write(bytes, size);
      size += length;
      return new Written(size, (int) crc.getValue());
    } catch (Files.DiskFullException e) {
      erase();
      folder.onDiskFull();
      throw e;
    } catch (IOException | WalException e) {
      erase();
      throw e;
    }
  }

  private Files.Handle file() throws IOException {
    Files.Handle open = handle;
    if (open == null) {
      open = folder.files().open(path, Files.Mode.CREATE);
      handle = open;
      folder.onMade(this);
    }
    return open;
  }

  /** Reads until the buffer is full or the file ends. */
  void read(ByteBuffer target, long position) throws IOException {
    if (erased) {
      throw new IOException(path + " was erased");
    }
    AtomicFile.readFully(file(), target, position);
  }

  /** Takes the file away. One that cannot be erased stays until the next start. */
  void erase() {
    if (erased) {
      return;
    }
    erased = true;
    folder.onErased(this);
    Files.Handle open = handle;
    handle = null;
    if (open == null) {
      return;
    }
    try (open) {
      folder.files().delete(path);
    } catch (IOException e) {
      LOG.warn("{} could not be erased, the next start does it: {}", path, e.toString());
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
