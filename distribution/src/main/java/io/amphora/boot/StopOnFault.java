package io.amphora.boot;

import io.amphora.core.FaultHandler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once: after a fault that cannot be explained nothing may be acknowledged any
 * more (house rule 6). Ending the process is the one way to be sure of that, and it is safe: what
 * was acknowledged is on disk, what was not stays unsettled at the client, and the operating system
 * closes the sockets and releases the lock. Callable from any thread.
 */
final class StopOnFault implements FaultHandler {

  /** Exit code after a fault ("internal software error" of sysexits.h). */
  static final int EXIT_CODE = 70;

  private static final Logger log = LoggerFactory.getLogger(StopOnFault.class);

  private final IntConsumer exit;
  private final AtomicBoolean stopping = new AtomicBoolean();

  /**
   * @param exit ends the process without running shutdown hooks, as these would still answer
   *     clients
   */
  StopOnFault(IntConsumer exit) {
    this.exit = exit;
  }

  @Override
  public void fatal(String what, Throwable cause) {
    if (stopping.compareAndSet(false, true)) {
      try {
        log.error("FAULT, the broker stops now: {}", what, cause);
      } finally {
        exit.accept(EXIT_CODE);
      }
    }
  }
}
