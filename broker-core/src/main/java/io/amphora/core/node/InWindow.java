package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one asynchronous request per item, at most so many at once, and answers when all have ended:
 * with all results, in the order in which they came, or with the first error. Owned by the loop it
 * is started on; every answer must arrive there.
 */
final class InWindow<T, R> {

  private final List<T> items;
  private final BiConsumer<T, Consumer<Reply<R>>> request;
  private final Consumer<Reply<List<R>>> done;
  private final List<R> results = new ArrayList<>();
  private @Nullable BrokerException error;
  private int next;
  private int running;

  private InWindow(
      List<T> items, BiConsumer<T, Consumer<Reply<R>>> request, Consumer<Reply<List<R>>> done) {
    this.items = items;
    this.request = request;
    this.done = done;
  }

  /** Starts. With no items {@code done} is called at once. */
  static <T, R> void run(
      List<T> items,
      int window,
      BiConsumer<T, Consumer<Reply<R>>> request,
      Consumer<Reply<List<R>>> done) {
    InWindow<T, R> run = new InWindow<>(List.copyOf(items), request, done);
    if (run.items.isEmpty()) {
      done.accept(Reply.ok(List.of()));
      return;
    }
    while (run.next < run.items.size() && run.running < window) {
      run.startNext();
    }
  }

  private void startNext() {
    T item = items.get(next++);
    running++;
    request.accept(item, this::onReply);
  }

  private void onReply(Reply<R> reply) {
    running--;
    if (reply instanceof Reply.Ok<R> ok) {
      results.add(ok.value());
    } else if (error == null) {
      error = ((Reply.Failed<R>) reply).error();
    }
    if (next < items.size()) {
      startNext();
    } else if (running == 0) {
      BrokerException failed = error;
      done.accept(failed == null ? Reply.ok(List.copyOf(results)) : new Reply.Failed<>(failed));
    }
  }
}
