package io.amphora.cluster;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.PositionStore;
import io.amphora.core.Reply;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.PositionMerge;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The live copy of positions in the Hazelcast map {@code positions} (safety rules 16 and 17). */
final class HazelcastPositionStore implements PositionStore {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastPositionStore.class);

  private final LiveMap<PositionKey, Position> map;
  private final BoundedCalls calls;
  private final MergingSender<PositionKey, Position> sender;

  HazelcastPositionStore(LiveMap<PositionKey, Position> map, Duration timeout) {
    this.map = map;
    this.calls = new BoundedCalls(timeout);
    this.sender = new MergingSender<>(PositionMerge::merge, this::send);
  }

  private CompletionStage<?> send(PositionKey key, Position position) {
    return calls.call(() -> map.merge(key, position).thenApply(result -> key));
  }

  @Override
  public void merge(Map<PositionKey, Position> positions) {
    positions.forEach(sender::offer);
  }

  @Override
  public void lookup(PositionKey key, Consumer<PositionLookup> done) {
    calls.call(() -> map.get(key)).whenComplete((value, error) -> done.accept(found(value, error)));
  }

  private static PositionLookup found(@Nullable Position value, @Nullable Throwable error) {
    if (error != null) {
      LOG.debug("a position lookup came to nothing: {}", error.toString());
      return new PositionLookup.Unknown();
    }
    return value == null ? new PositionLookup.Missing() : new PositionLookup.Value(value);
  }

  @Override
  public void all(Consumer<Reply<Map<PositionKey, Position>>> done) {
    calls.call(map::all).whenComplete((value, error) -> done.accept(listed(value, error)));
  }

  private static Reply<Map<PositionKey, Position>> listed(
      @Nullable Map<PositionKey, Position> value, @Nullable Throwable error) {
    if (value != null) {
      return Reply.ok(value);
    }
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (cause instanceof BrokerException known) {
      return new Reply.Failed<>(known);
    }
    ErrorCode code =
        cause instanceof TimeoutException ? ErrorCode.TIMEOUT : ErrorCode.SHUTTING_DOWN;
    return Reply.failed(code, "the positions cannot be read now: " + cause);
  }
}
