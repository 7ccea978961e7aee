package io.amphora.boot;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the contents of files from time to time, and has them taken when they changed. Contents,
 * because file systems of containers swap links, and tell of changes unreliably. What is of no use
 * is looked at again when it changed once more: a certificate and its key are two files. Owned by
 * one context of its own once it is started.
 */
final class FileWatch {

  private static final Logger log = LoggerFactory.getLogger(FileWatch.class);
  private static final long MOST_BYTES = 4 << 20;

  private final List<Watched> all = new ArrayList<>();

  /** Takes what is in the files now. */
  interface Renewal {
    /** Fails with a reason for the operator; must not block. */
    Future<Void> renew(Vertx vertx);
  }

  private static final class Watched {
    final String what;
    final List<Path> files;
    final Renewal renewal;
    String seen;
    boolean busy;

    Watched(String what, List<Path> files, String seen, Renewal renewal) {
      this.what = what;
      this.files = files;
      this.seen = seen;
      this.renewal = renewal;
    }
  }

  /**
   * One more set of files that belong together. Only before the start.
   *
   * @param what for the log
   * @param seen their {@link #print} from before they were read for use
   */
  void add(String what, List<Path> files, String seen, Renewal renewal) {
    if (!files.isEmpty()) {
      all.add(new Watched(what, files, seen, renewal));
    }
  }

  /** Begins to look; ends with Vert.x. */
  void start(Vertx vertx, long everyMillis) {
    if (!all.isEmpty()) {
      Context context = vertx.getOrCreateContext();
      context.runOnContext(
          go -> vertx.setPeriodic(everyMillis, due -> all.forEach(each -> look(vertx, each))));
    }
  }

  private static void look(Vertx vertx, Watched watched) {
    if (watched.busy) {
      return;
    }
    watched.busy = true;
    vertx
        .executeBlocking(() -> print(watched.files), false)
        .compose(
            now -> now.equals(watched.seen) ? Future.succeededFuture() : renew(vertx, watched, now))
        .onComplete(done -> watched.busy = false);
  }

  private static Future<Void> renew(Vertx vertx, Watched watched, String now) {
    watched.seen = now;
    return watched
        .renewal
        .renew(vertx)
        .onSuccess(done -> log.info("{}: {} taken anew", watched.what, watched.files))
        .onFailure(
            e ->
                log.warn(
                    "{} changed and cannot be taken, the old one stays: {}",
                    watched.what,
                    String.valueOf(e.getMessage())));
  }

  /** Differs when a content does; what cannot be read has a content of its own. Blocks. */
  static String print(List<Path> files) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files) {
        digest.update(content(file));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static byte[] content(Path file) {
    try {
      return Files.size(file) > MOST_BYTES ? new byte[] {2} : Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[] {1};
    }
  }
}
