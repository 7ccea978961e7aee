package io.amphora.amqp.node;

import io.amphora.amqp.AmqpErrors;
import io.amphora.core.BrokerException;
import io.amphora.core.Reply;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.EpochStart;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Topics and partitions as Event Hubs clients see them. Those compare classes, so every type is
 * exact (conventions 5.7). Owned by the connection loop.
 */
final class HubFigures {

  private final Caller caller;

  HubFigures(Caller caller) {
    this.caller = caller;
  }

  /** A topic, as an event hub. */
  void hub(String name, Consumer<Response> done) {
    done.accept(
        caller.topic(name).map(HubFigures::hub).orElseGet(() -> OperationsNode.notFound(name)));
  }

  private static Response hub(TopicInfo topic) {
    String[] ids =
        topic.partitions().stream()
            .map(partition -> String.valueOf(partition.partition()))
            .toArray(String[]::new);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", topic.name());
    body.put("type", "com.microsoft:eventhub");
    body.put("created_at", Date.from(Instant.ofEpochMilli(topic.createdMillis())));
    body.put("partition_count", ids.length);
    body.put("partition_ids", ids);
    body.put("georeplication_factor", 1);
    return Response.status(200, "OK", body);
  }

  /** A partition of a topic. */
  void partition(String name, String id, Consumer<Response> done) {
    Optional<TopicInfo> topic = caller.topic(name);
    Optional<PartitionRef> partition =
        topic
            .filter(there -> isPartition(there, id))
            .flatMap(there -> caller.broker().partition(there, Integer.parseInt(id)));
    if (partition.isEmpty()) {
      done.accept(OperationsNode.notFound(topic.isEmpty() ? name : name + "/Partitions/" + id));
      return;
    }
    partition
        .get()
        .status(
            caller.loop(), caller.guarded(reply -> onStatus(name, partition.get(), reply, done)));
  }

  private static boolean isPartition(TopicInfo topic, String id) {
    return id.matches("[0-9]{1,5}") && Integer.parseInt(id) < topic.partitions().size();
  }

  private void onStatus(
      String name, PartitionRef partition, Reply<PartitionStatus> reply, Consumer<Response> done) {
    if (reply instanceof Reply.Failed<PartitionStatus> failed) {
      done.accept(failed(failed.error()));
      return;
    }
    PartitionStatus status = reply.orThrow();
    long last = last(status);
    if (last < 0) {
      done.accept(answer(name, status, last, 0));
      return;
    }
    Consumer<Reply<ReadSlice>> onRead =
        slice -> done.accept(answer(name, status, last, timeOf(slice, last)));
    partition.read(new ReadRequest(last, 1), caller.loop(), caller.guarded(onRead));
  }

  private static Response failed(BrokerException error) {
    return OperationsNode.failed(
        AmqpErrors.condition(error.code()), String.valueOf(error.getMessage()));
  }

  /** When the batch of the message was appended, milliseconds since 1970; 0 when it is gone. */
  private static long timeOf(Reply<ReadSlice> reply, long offset) {
    if (reply instanceof Reply.Ok<ReadSlice> ok) {
      return ok.value().batches().stream()
          .filter(batch -> batch.baseOffset() <= offset && offset < batch.endOffset())
          .mapToLong(batch -> batch.maxTimestamp())
          .findFirst()
          .orElse(0);
    }
    return 0;
  }

  /** Offset of the last message: behind it there may be records of the broker; -1 without any. */
  private static long last(PartitionStatus status) {
    if (status.messagesFrom(0) == 0) {
      return -1;
    }
    Set<Long> starts = starts(status);
    long last = status.highWatermark() - 1;
    while (starts.contains(last)) {
      last--;
    }
    return last;
  }

  private static long first(PartitionStatus status) {
    Set<Long> starts = starts(status);
    long first = status.log().logStart();
    while (starts.contains(first) && first < status.highWatermark()) {
      first++;
    }
    return first;
  }

  private static Set<Long> starts(PartitionStatus status) {
    return status.epochs().stream().map(EpochStart::offset).collect(Collectors.toSet());
  }

  private static Response answer(String name, PartitionStatus status, long last, long lastTime) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", name);
    body.put("type", "com.microsoft:partition");
    body.put("partition", String.valueOf(status.partition()));
    body.put("begin_sequence_number", first(status));
    body.put("last_enqueued_sequence_number", last);
    body.put("last_enqueued_offset", String.valueOf(last));
    body.put("last_enqueued_time_utc", Date.from(Instant.ofEpochMilli(lastTime)));
    body.put("is_partition_empty", last < 0);
    return Response.status(200, "OK", body);
  }
}
