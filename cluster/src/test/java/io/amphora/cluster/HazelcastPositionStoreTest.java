package io.amphora.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.PositionStore.PositionLookup;
import io.amphora.core.Reply;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HazelcastPositionStoreTest {
  private static final PositionKey KEY = new PositionKey(new UUID(1, 2), new UUID(3, 4), 0);

  private final FakeMap map = new FakeMap();

  private HazelcastPositionStore store(Duration timeout) {
    return new HazelcastPositionStore(map, timeout);
  }

  private static PositionLookup lookup(HazelcastPositionStore store) throws Exception {
    CompletableFuture<PositionLookup> found = new CompletableFuture<>();
    store.lookup(KEY, found::complete);
    return found.get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldSayUnknownWhenTheMapDoesNotAnswer() throws Exception {
    assertThat(lookup(store(Duration.ofMillis(1)))).isEqualTo(new PositionLookup.Unknown());
  }

  @Test
  void shouldSayUnknownWhenTheCallFails() throws Exception {
    map.get.completeExceptionally(new IllegalStateException("down"));
    assertThat(lookup(store(Duration.ofHours(1)))).isEqualTo(new PositionLookup.Unknown());
  }

  @Test
  void shouldSayUnknownWhenTheCallThrows() throws Exception {
    map.broken = true;
    HazelcastPositionStore store = store(Duration.ofHours(1));
    assertThat(lookup(store)).isEqualTo(new PositionLookup.Unknown());
    store.merge(Map.of(KEY, Position.at(1)));
    assertThat(map.sent).isEmpty();
  }

  @Test
  void shouldReportATimeoutOfTheList() throws Exception {
    CompletableFuture<Reply<Map<PositionKey, Position>>> all = new CompletableFuture<>();
    store(Duration.ofMillis(1)).all(all::complete);
    assertThat(all.get(10, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed ->
                assertThat(((BrokerException) failed.error()).code()).isEqualTo(ErrorCode.TIMEOUT));
  }

  @Test
  void shouldSendOnePerKeyAndMergeWhatWaits() {
    HazelcastPositionStore store = store(Duration.ofHours(1));
    store.merge(Map.of(KEY, Position.at(1)));
    store.merge(Map.of(KEY, Position.at(7)));
    store.merge(Map.of(KEY, Position.at(3)));
    assertThat(map.sent).containsExactly(Position.at(1));
    map.answers.get(0).complete("done");
    assertThat(map.sent).containsExactly(Position.at(1), Position.at(7));
    map.answers.get(1).complete("done");
    store.merge(Map.of(KEY, Position.at(8)));
    assertThat(map.sent).containsExactly(Position.at(1), Position.at(7), Position.at(8));
  }

  @Test
  void shouldGoOnAfterALostSend() {
    HazelcastPositionStore store = store(Duration.ofHours(1));
    store.merge(Map.of(KEY, Position.at(1)));
    store.merge(Map.of(KEY, Position.at(2)));
    map.answers.get(0).completeExceptionally(new IllegalStateException("lost"));
    assertThat(map.sent).containsExactly(Position.at(1), Position.at(2));
  }

  /** A map whose answers the test gives. */
  private static final class FakeMap implements LiveMap<PositionKey, Position> {
    private final CompletableFuture<Position> get = new CompletableFuture<>();
    private final List<Position> sent = new ArrayList<>();
    private final List<CompletableFuture<Object>> answers = new ArrayList<>();
    private boolean broken;

    private void check() {
      if (broken) {
        throw new IllegalStateException("not active");
      }
    }

    @Override
    public CompletionStage<Position> get(PositionKey key) {
      check();
      return get;
    }

    @Override
    public CompletionStage<?> merge(PositionKey key, Position value) {
      check();
      sent.add(value);
      answers.add(new CompletableFuture<>());
      return answers.get(answers.size() - 1);
    }

    @Override
    public CompletionStage<Map<PositionKey, Position>> all() {
      return new CompletableFuture<>();
    }
  }
}
