package io.amphora.wal.disk;

import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts results to the loop that asked. A loop that is gone cannot be told anything; that must not
 * harm the disk thread.
 *
 * @param executor the loop
 */
record Owner(Executor executor) {

  private static final Logger LOG = LoggerFactory.getLogger(Owner.class);

  void post(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the owner of a log is gone, its result is dropped", e);
    }
  }

  <T> void ok(Consumer<WalResult<T>> done, T value) {
    post(() -> done.accept(new WalResult.Ok<>(value)));
  }

  <T> void failed(Consumer<WalResult<T>> done, WalException error) {
    post(() -> done.accept(new WalResult.Failed<>(error)));
  }
}
