package io.amphora.core.delivery;

import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.PositionMerge;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one member claimed on several partitions. Immutable.
 *
 * @param parts at least one
 */
record ClaimParts(List<Claim> parts) implements Claim {

  /** Nothing of it was there. */
  static final Claim NOTHING =
      new Claim() {
        @Override
        public boolean isWhole() {
          return false;
        }

        @Override
        public Map<PositionKey, Position> changes() {
          return Map.of();
        }

        @Override
        public void end(End how) {}
      };

  @Override
  public boolean isWhole() {
    return parts.stream().allMatch(Claim::isWhole);
  }

  @Override
  public Map<PositionKey, Position> changes() {
    Map<PositionKey, Position> all = new HashMap<>();
    parts.forEach(
        part -> part.changes().forEach((key, p) -> all.merge(key, p, PositionMerge::merge)));
    return all;
  }

  @Override
  public void end(End how) {
    parts.forEach(part -> part.end(how));
  }
}
