package io.amphora.cluster;

import io.amphora.core.TopologyStore;
import java.time.Duration;

/** The cache of the topology document in the Hazelcast map {@code topology} (safety rule 9). */
final class HazelcastTopologyStore implements TopologyStore {
  /** Key of the one entry. */
  static final String KEY = "document";

  private final MergingSender<String, TopologyDocument> sender;

  HazelcastTopologyStore(LiveMap<String, TopologyDocument> map, Duration timeout) {
    BoundedCalls calls = new BoundedCalls(timeout);
    this.sender =
        new MergingSender<>(
            TopologyDocument::newer,
            (key, document) -> calls.call(() -> map.merge(key, document).thenApply(done -> key)));
  }

  @Override
  public void publish(long term, long version, byte[] document) {
    sender.offer(KEY, new TopologyDocument(term, version, document));
  }
}
