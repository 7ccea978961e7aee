package io.amphora.wal.disk;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * Where large batches lie whose checksum was verified lately, so that reading a body in a hundred
 * pieces does not verify it a hundred times. Bounded; owned by the read thread.
 *
 * @param known the places
 */
record VerifiedBatches(Map<VerifiedBatches.Place, Boolean> known) {

  private static final int MOST = 1024;

  /** A position in a segment file in one generation of its log. */
  record Place(ReadFiles.Key file, long position) {}

  VerifiedBatches() {
    this(new LinkedHashMap<>());
  }

  LongPredicate in(ReadFiles.Key file) {
    return position -> known.containsKey(new Place(file, position));
  }

  LongConsumer addTo(ReadFiles.Key file) {
    return position -> {
      if (known.size() >= MOST) {
        known.remove(known.keySet().iterator().next());
      }
      known.put(new Place(file, position), true);
    };
  }
}
