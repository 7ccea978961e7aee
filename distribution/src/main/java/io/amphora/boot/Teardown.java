package io.amphora.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was started and how it is stopped, newest first. Owned by the thread that starts, later by
 * the one that stops.
 */
final class Teardown {

  private static final Logger log = LoggerFactory.getLogger(Teardown.class);

  /** Stops one thing; may block. */
  interface Action {
    void run() throws Exception;
  }

  private record Step(String what, Action action) {}

  private final Deque<Step> steps = new ArrayDeque<>();

  void add(String what, Action action) {
    steps.push(new Step(what, action));
  }

  /**
   * Runs every step, also after one has failed.
   *
   * @return true when all went well
   */
  boolean run() {
    boolean clean = true;
    while (!steps.isEmpty()) {
      Step step = steps.pop();
      try {
        step.action().run();
        log.debug("stopped: {}", step.what());
      } catch (Exception e) {
        log.warn("stopping {} failed", step.what(), e);
        clean = false;
      }
    }
    return clean;
  }
}
