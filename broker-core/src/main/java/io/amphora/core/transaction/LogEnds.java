package io.amphora.core.transaction;

import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.topology.TopicInfo;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks the partitions that a transaction writes to where their logs end now. Owned by the loop it
 * is asked on.
 */
final class LogEnds {
  private final Map<Target, Long> ends = new HashMap<>();
  private final Consumer<Reply<Map<Target, Long>>> done;
  private Optional<Reply<Map<Target, Long>>> failed = Optional.empty();
  private int left;

  private LogEnds(int targets, Consumer<Reply<Map<Target, Long>>> done) {
    this.left = targets;
    this.done = done;
  }

  /**
   * Asks.
   *
   * @param done called once on {@code loop}; fails when one of them cannot be written to
   */
  static void ask(
      TransactionWork work,
      NodeServices services,
      Loop loop,
      Consumer<Reply<Map<Target, Long>>> done) {
    Map<Target, TopicInfo> targets = new LinkedHashMap<>();
    work.sends().forEach(send -> targets.put(send.target(), send.topic()));
    if (targets.isEmpty()) {
      done.accept(Reply.ok(Map.of()));
      return;
    }
    LogEnds asked = new LogEnds(targets.size(), done);
    targets.forEach((target, topic) -> asked.ask(target, topic, services, loop));
  }

  private void ask(Target target, TopicInfo topic, NodeServices services, Loop loop) {
    Optional<PartitionRef> partition = services.partition(topic, target.partition());
    if (partition.isEmpty()) {
      String what = topic.name() + "-" + target.partition() + " is not there any more";
      onStatus(target, Reply.failed(ErrorCode.RESOURCE_DELETED, what));
    } else {
      partition.get().status(loop, reply -> onStatus(target, reply));
    }
  }

  private void onStatus(Target target, Reply<PartitionStatus> reply) {
    if (reply instanceof Reply.Failed<PartitionStatus> no) {
      failed = Optional.of(new Reply.Failed<>(no.error()));
    } else if (!reply.orThrow().role().equals("leader")) {
      failed = Optional.of(Reply.failed(ErrorCode.NOT_LEADER, target + " is not led here"));
    } else {
      ends.put(target, reply.orThrow().log().writtenEnd());
    }
    if (--left == 0) {
      done.accept(failed.orElseGet(() -> Reply.ok(ends)));
    }
  }
}
