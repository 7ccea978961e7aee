package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.server.ConnectionLoop;
import io.amphora.core.Loop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopsTest {

  private final CompletableFuture<Error> error = new CompletableFuture<>();
  private final EventLoops loops = EventLoops.start(3, error::complete);

  @AfterEach
  void close() throws Exception {
    loops.close();
  }

  private static <T> T on(Loop loop, Function<Loop, T> question) throws Exception {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> answer.complete(question.apply(loop)));
    return answer.get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldGiveEachLoopAThreadOfItsOwn() throws Exception {
    Set<Thread> threads = new HashSet<>();
    for (Loop loop : loops.partitionLoops()) {
      threads.add(on(loop, l -> Thread.currentThread()));
    }
    threads.add(on(loops.control(), l -> Thread.currentThread()));
    assertThat(threads).hasSize(4);
  }

  @Test
  void shouldRunVertxAndTheCoreOnTheSameThread() throws Exception {
    for (ConnectionLoop pair : loops.connectionLoops()) {
      CompletableFuture<Boolean> inLoop = new CompletableFuture<>();
      pair.context().runOnContext(nothing -> inLoop.complete(pair.loop().inLoop()));
      assertThat(inLoop.get(10, TimeUnit.SECONDS)).isTrue();
      assertThat(pair.loop().inLoop()).isFalse();
    }
  }

  @Test
  void shouldRunTasksInOrderAndNeverInsideTheCaller() throws Exception {
    List<String> order = new ArrayList<>();
    Loop loop = loops.control();
    CompletableFuture<List<String>> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          loop.execute(() -> order.add("second"));
          loop.execute(() -> done.complete(order));
          order.add("first");
        });
    assertThat(done.get(10, TimeUnit.SECONDS)).containsExactly("first", "second");
  }

  @Test
  void shouldNotRunATimerEarlyNorACancelledOne() throws Exception {
    Loop loop = loops.control();
    List<String> ran = new ArrayList<>();
    CompletableFuture<Long> waited = new CompletableFuture<>();
    loop.execute(
        () -> {
          long start = loop.nowNanos();
          Loop.Cancellable cancelled = loop.schedule(1_000_000, () -> ran.add("cancelled"));
          loop.schedule(2_500_001, () -> waited.complete(loop.nowNanos() - start));
          cancelled.cancel();
          cancelled.cancel();
        });
    assertThat(waited.get(10, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(2_500_001);
    assertThat(ran).isEmpty();
    assertThatThrownBy(() -> loop.schedule(-1, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldGoOnAfterAnExceptionAndReportAnError() throws Exception {
    Loop loop = loops.control();
    loop.execute(
        () -> {
          throw new IllegalStateException("expected by this test");
        });
    assertThat(on(loop, Loop::inLoop)).isTrue();
    AssertionError broken = new AssertionError("expected by this test");
    loop.execute(
        () -> {
          throw broken;
        });
    assertThat(error.get(10, TimeUnit.SECONDS)).isSameAs(broken);
  }

  @Test
  void shouldDropTasksQuietlyAfterTheEnd() throws Exception {
    EventLoops ended = EventLoops.start(1, error::complete);
    ended.close();
    ended.control().execute(() -> {});
    ended.control().schedule(0, () -> {}).cancel();
    assertThat(error).isNotDone();
  }
}
