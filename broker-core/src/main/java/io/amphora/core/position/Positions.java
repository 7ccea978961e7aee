package io.amphora.core.position;

import io.amphora.core.Loop;
import io.amphora.core.PositionStore.PositionLookup;
import java.util.Map;
import java.util.function.Consumer;

/** The journal of positions as dispatchers see it, from any loop. Never blocks. */
public interface Positions {
  /**
   * Looks a position up in the journal.
   *
   * @param owner loop on which the answer arrives
   * @param done gets {@code Missing} only when the whole journal is known (safety rule 17)
   */
  void lookup(PositionKey key, Loop owner, Consumer<PositionLookup> done);

  /**
   * Journals positions by merge.
   *
   * @param owner loop on which the answer arrives
   * @param done gets true when all are committed; false means unknown: send them again
   */
  void submit(Map<PositionKey, Position> positions, Loop owner, Consumer<Boolean> done);
}
