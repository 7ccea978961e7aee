package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a number of asynchronous sends. */
final class Completions implements CompletionListener {

  private final CountDownLatch left;
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

  Completions(int count) {
    left = new CountDownLatch(count);
  }

  @Override
  public void onCompletion(Message message) {
    left.countDown();
  }

  @Override
  public void onException(Message message, Exception exception) {
    failures.add(exception);
    left.countDown();
  }

  void await(long millis) throws InterruptedException {
    assertThat(left.await(millis, TimeUnit.MILLISECONDS)).as("all sends were answered").isTrue();
    assertThat(failures).isEmpty();
  }
}
