package io.amphora.core.sim;

import io.amphora.core.PositionStore;
import io.amphora.core.Reply;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Positions in memory, merged as safety rule 18 says; gone with the process like the real one. */
public final class SimPositionStore implements PositionStore {

  private final Map<PositionKey, Position> positions = new HashMap<>();

  @Override
  public void merge(Map<PositionKey, Position> changed) {
    changed.forEach((key, position) -> positions.merge(key, position, SimPositionStore::newer));
  }

  private static Position newer(Position old, Position now) {
    int order = now.reset().compareTo(old.reset());
    return order > 0 || (order == 0 && now.committed() >= old.committed()) ? now : old;
  }

  @Override
  public void lookup(PositionKey key, Consumer<PositionLookup> done) {
    Position position = positions.get(key);
    done.accept(
        position == null ? new PositionLookup.Missing() : new PositionLookup.Value(position));
  }

  @Override
  public void all(Consumer<Reply<Map<PositionKey, Position>>> done) {
    done.accept(Reply.ok(Map.copyOf(positions)));
  }
}
