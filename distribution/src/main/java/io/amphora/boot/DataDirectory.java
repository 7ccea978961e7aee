package io.amphora.boot;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

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
