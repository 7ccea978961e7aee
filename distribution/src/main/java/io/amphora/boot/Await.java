package io.amphora.boot;

import io.amphora.boot.config.ConfigKey;
import io.amphora.core.BrokerException;
import io.amphora.core.Reply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits, on the main thread, for what happens on the event loops. */
final class Await {

  private static final Logger log = LoggerFactory.getLogger(Await.class);
  private static final long PATIENCE_SECONDS = 10;

  private Await() {}

  /** Waits for an answer of the core; its refusal is why the broker cannot start. */
  static <T> T reply(CompletableFuture<Reply<T>> future, String what) throws StartException {
    try {
      return started(future, what).orThrow();
    } catch (BrokerException e) {
      throw new StartException(StartException.FAILED, what + ": " + e.getMessage(), e);
    }
  }

  /** Runs something on the event loop of a context. */
  static <T> Future<T> on(Context context, Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        nothing -> {
          try {
            action.get().onComplete(promise);
          } catch (RuntimeException e) {
            promise.fail(e);
          }
        });
    return promise.future();
  }

  /** Waits for something to close, with a limit. */
  static void closed(Future<Void> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Waits without limit, because recovery of a large store takes its time, but says so.
   *
   * @param what what is awaited, for the log
   */
  private static <T> T started(CompletableFuture<T> future, String what) throws StartException {
    try {
      while (true) {
        try {
          return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          log.info("still waiting for {}", what);
        }
      }
    } catch (ExecutionException e) {
      throw new StartException(StartException.FAILED, what + ": " + cause(e).getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException(StartException.FAILED, what + ": interrupted", e);
    }
  }

  /**
   * Waits for a listener.
   *
   * @return the actual port
   */
  static int listening(Future<Integer> future, Endpoint wanted) throws StartException {
    CompletableFuture<Integer> port = future.toCompletionStage().toCompletableFuture();
    try {
      return port.get();
    } catch (ExecutionException e) {
      throw refused(wanted, cause(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(wanted, e);
    }
  }

  /** A listener that cannot be where it should. */
  static StartException refused(Endpoint wanted, Throwable error) {
    Throwable cause = error instanceof UncheckedIOException wrapped ? cause(wrapped) : error;
    String why =
        cause instanceof BindException
            ? " (" + cause.getMessage() + "); stop what uses the port or choose another (0: any)"
            : ": " + cause;
    return new StartException(
        StartException.ENVIRONMENT,
        wanted.key().name() + ": cannot listen on " + wanted.text() + why);
  }

  private static Throwable cause(Exception e) {
    return e.getCause() == null ? e : e.getCause();
  }

  /**
   * Where a listener shall be.
   *
   * @param key setting to change when it cannot be there
   */
  record Endpoint(String host, int port, ConfigKey<Integer> key) {

    /** {@code HOST:PORT}. */
    String text() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    Endpoint withPort(int actual) {
      return new Endpoint(host, actual, key);
    }
  }
}
