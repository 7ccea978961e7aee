package io.amphora.boot;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Looks at the data directory before anything opens it, to say clearly what is wrong with it. */
final class DataDirectory {

  private DataDirectory() {}

  /** Makes the directory when it is missing and proves that it can be written. */
  static void prepare(Path dir) throws StartException {
    if (Files.exists(dir) && !Files.isDirectory(dir)) {
      throw refused(dir, "is not a directory");
    }
    try {
      Files.createDirectories(dir);
      Files.delete(Files.createTempFile(dir, ".probe", ".tmp"));
    } catch (AccessDeniedException e) {
      throw refused(dir, "is not writable: permission denied");
    } catch (IOException e) {
      throw refused(dir, "is not writable: " + reason(e));
    }
  }

  /** Looks at the lock before the ports: a second broker on the same directory has both taken. */
  static void free(Path dir) throws StartException {
    Path lock = dir.resolve("lock");
    if (!Files.exists(lock)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      if (held != null) {
        return;
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(dir, e);
    } catch (IOException e) {
      throw refused(dir, "cannot be locked: " + reason(e));
    }
    throw inUse(dir, null);
  }

  /** Another broker has it. */
  static StartException inUse(Path dir, @Nullable Throwable cause) {
    return new StartException(
        StartException.ENVIRONMENT,
        "data.dir %s is used by another broker; stop it or choose another (--data DIR)"
            .formatted(dir),
        cause);
  }

  private static String reason(IOException e) {
    if (e instanceof FileSystemException detailed && detailed.getReason() != null) {
      return detailed.getReason();
    }
    return "it cannot be created (" + e.getClass().getSimpleName() + ")";
  }

  private static StartException refused(Path dir, String why) {
    return new StartException(
        StartException.ENVIRONMENT,
        "data.dir " + dir + " " + why + "; choose a directory this user can write (--data DIR)");
  }
}
