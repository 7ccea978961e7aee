package io.amphora.core;

import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The live copy of positions that the whole cluster reads (safety rules 16 to 18). Writes merge, so
 * they can be repeated and reordered. The truth is the journal topic {@code __positions}.
 */
public interface PositionStore {

  /**
   * Merges positions into the store. Never blocks; may lose (the journal has them).
   *
   * @param positions new values by key
   */
  void merge(Map<PositionKey, Position> positions);

  /**
   * Looks one position up, asynchronously, with a timeout of its own (2 s).
   *
   * @param done called on any thread
   */
  void lookup(PositionKey key, Consumer<PositionLookup> done);

  /** All positions known to the store, for the admin API; called on any thread. */
  void all(Consumer<Reply<Map<PositionKey, Position>>> done);

  /** Answer of a lookup. */
  sealed interface PositionLookup {
    /** It is known. */
    record Value(Position position) implements PositionLookup {}

    /** The store has none; this means "never committed" only after the journal was loaded. */
    record Missing() implements PositionLookup {}

    /** Time-out or error: wait and ask again (safety rule 17). */
    record Unknown() implements PositionLookup {}
  }
}
