package io.amphora.boot.interop;

import com.azure.messaging.eventhubs.CheckpointStore;
import com.azure.messaging.eventhubs.models.Checkpoint;
import com.azure.messaging.eventhubs.models.PartitionOwnership;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What an event processor keeps, for one hub and group, in memory. Used by the client's threads.
 */
final class MemoryCheckpoints implements CheckpointStore {

  private final Map<String, PartitionOwnership> owners = new ConcurrentHashMap<>();
  private final Map<String, Checkpoint> checkpoints = new ConcurrentHashMap<>();

  @Override
  public Flux<PartitionOwnership> listOwnership(String namespace, String hub, String group) {
    return Flux.fromIterable(List.copyOf(owners.values()));
  }

  @Override
  public Flux<PartitionOwnership> claimOwnership(List<PartitionOwnership> wanted) {
    for (PartitionOwnership one : wanted) {
      one.setETag(UUID.randomUUID().toString());
      one.setLastModifiedTime(System.currentTimeMillis());
      owners.put(one.getPartitionId(), one);
    }
    return Flux.fromIterable(wanted);
  }

  @Override
  public Flux<Checkpoint> listCheckpoints(String namespace, String hub, String group) {
    return Flux.fromIterable(List.copyOf(checkpoints.values()));
  }

  @Override
  public Mono<Void> updateCheckpoint(Checkpoint checkpoint) {
    checkpoints.put(checkpoint.getPartitionId(), checkpoint);
    return Mono.empty();
  }
}
