package io.amphora.admin.resource;

import io.amphora.core.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;

/** Turns a question to the core into a future; both sides run on the HTTP loop. */
final class Asking {
  private Asking() {}

  /**
   * Asks.
   *
   * @param question gets the callback to hand to the core, with the HTTP loop as owner
   */
  static <T> Future<T> ask(Consumer<Consumer<Reply<T>>> question) {
    Promise<T> promise = Promise.promise();
    question.accept(
        reply -> {
          if (reply instanceof Reply.Failed<T> failed) {
            promise.tryFail(failed.error());
          } else {
            promise.tryComplete(reply.orThrow());
          }
        });
    return promise.future();
  }
}
