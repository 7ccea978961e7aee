package io.amphora.cluster;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Gives every map call an end: its own result, or an exception after the timeout (safety rule 17:
 * Hazelcast's own time-out is a minute and more).
 */
final class BoundedCalls {
  private final Duration timeout;

  BoundedCalls(Duration timeout) {
    this.timeout = timeout;
  }

  /** Starts the call; never throws. */
  <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
    // A future of our own: timing out Hazelcast's would touch its invocation.
    CompletableFuture<T> own = new CompletableFuture<>();
    try {
      call.get()
          .whenComplete(
              (value, error) -> {
                if (error == null) {
                  own.complete(value);
                } else {
                  own.completeExceptionally(error);
                }
              });
    } catch (RuntimeException e) {
      own.completeExceptionally(e);
    }
    return own.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }
}
