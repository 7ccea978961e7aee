package io.amphora.boot.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command that is stopped by Ctrl-C or SIGTERM say how far it came: its thread is
 * interrupted and has a moment to end. Made and closed by the thread of the command; the hook runs
 * on a thread of its own.
 */
final class GentleStop implements AutoCloseable {

  private static final long LIMIT_SECONDS = 3;

  private final Thread command = Thread.currentThread();
  private final CountDownLatch said = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "stop");
  private volatile boolean requested;

  GentleStop() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** True when the process is being stopped. */
  boolean requested() {
    return requested;
  }

  private void stop() {
    requested = true;
    command.interrupt();
    try {
      if (!said.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("amphora: stopped; how far it came is not known");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Call when all has been said. */
  @Override
  public void close() {
    said.countDown();
    if (requested) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending this very moment; the hook finds that all has been said.
      requested = true;
    }
  }
}
