package io.amphora.core.transaction;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the parts of intents into their partitions, each exactly once, in the order of the intents
 * (safety rule 13). Owned by the loop of the transaction log.
 *
 * <p>A part is one batch that names its intent. Where it is not certain that the batch is missing,
 * the partition is searched for it before it is appended: after a restart, and when an append came
 * to nothing known. While a part waits to be tried again, later ones of its partition wait behind
 * it.
 */
final class PartAppends {
  private static final Logger LOG = LoggerFactory.getLogger(PartAppends.class);
  private static final long RETRY_NANOS = 100_000_000L;
  private static final int STEP_BYTES = 1 << 20;

  private final Loop loop;
  private final NodeServices services;
  private final TransactionMetrics metrics;
  private final Map<Target, List<Job>> delayed = new HashMap<>();
  private boolean stopped;

  /**
   * A part on its way.
   *
   * @param epoch epoch of its intent
   * @param offset offset of its intent
   * @param search whether it may be there already
   * @param done called once, when it is there or its topic is deleted; never after a stop
   */
  record Job(Intent.Part part, int epoch, long offset, boolean search, Runnable done) {

    Job searching() {
      return new Job(part, epoch, offset, true, done);
    }
  }

  PartAppends(Loop loop, NodeServices services, TransactionMetrics metrics) {
    this.loop = loop;
    this.services = services;
    this.metrics = metrics;
  }

  /** Nothing more is appended, and nobody is told anything. */
  void stop() {
    stopped = true;
    delayed.clear();
  }

  void append(Job job) {
    List<Job> waiting = delayed.get(job.part().target());
    if (waiting != null) {
      waiting.add(job);
    } else {
      start(job);
    }
  }

  private void start(Job job) {
    Target target = job.part().target();
    Optional<TopicInfo> topic = topic(target);
    if (topic.isEmpty()) {
      drop(job);
      return;
    }
    Optional<PartitionRef> partition = services.partition(topic.get(), target.partition());
    if (partition.isEmpty()) {
      later(job);
    } else if (job.search()) {
      search(job, partition.get(), job.part().from());
    } else {
      appendTo(job, topic.get(), partition.get());
    }
  }

  private Optional<TopicInfo> topic(Target target) {
    return services.topology().topics().values().stream()
        .filter(topic -> topic.id().equals(target.topicId()))
        .findFirst();
  }

  /** Nobody will ever read it: the topic was deleted, maybe created anew under its name. */
  private void drop(Job job) {
    metrics.dropped.mark();
    LOG.warn(
        "the topic {} of a committed transaction was deleted: {} messages are dropped",
        job.part().target().topicId(),
        job.part().records().size());
    job.done().run();
  }

  private void search(Job job, PartitionRef partition, long from) {
    partition.read(
        new ReadRequest(from, STEP_BYTES), loop, reply -> onRead(job, partition, from, reply));
  }

  private void onRead(Job job, PartitionRef partition, long from, Reply<ReadSlice> reply) {
    if (stopped) {
      return;
    }
    if (!(reply instanceof Reply.Ok<ReadSlice> ok)) {
      LOG.debug("a part of the intent at {} cannot be searched: {}", job.offset(), reply);
      later(job);
      return;
    }
    List<RecordBatch> batches = ok.value().batches();
    if (batches.stream().anyMatch(b -> b.isOfTransaction(job.epoch(), job.offset()))) {
      job.done().run();
    } else if (batches.isEmpty()) {
      topic(job.part().target())
          .ifPresentOrElse(topic -> appendTo(job, topic, partition), () -> drop(job));
    } else {
      search(job, partition, Math.max(from + 1, batches.get(batches.size() - 1).endOffset()));
    }
  }

  private void appendTo(Job job, TopicInfo topic, PartitionRef partition) {
    partition.append(
        new AppendRequest(
            job.part().toBatch(topic.config().compression()).transaction(job.epoch(), job.offset()),
            Acks.ALL,
            loop,
            (request, result) -> onAppended(job, result)));
  }

  private void onAppended(Job job, AppendResult result) {
    if (stopped) {
      return;
    }
    if (result instanceof AppendResult.Appended) {
      job.done().run();
      return;
    }
    LOG.debug("a part of the intent at {} is not appended yet: {}", job.offset(), result);
    later(result instanceof AppendResult.Indeterminate ? job.searching() : job);
  }

  private void later(Job job) {
    Target target = job.part().target();
    List<Job> waiting = delayed.get(target);
    if (waiting != null) {
      waiting.add(job);
      return;
    }
    List<Job> first = new ArrayList<>();
    first.add(job);
    delayed.put(target, first);
    loop.schedule(RETRY_NANOS, () -> again(target));
  }

  private void again(Target target) {
    List<Job> jobs = delayed.remove(target);
    if (jobs != null && !stopped) {
      jobs.sort((a, b) -> Long.compare(a.offset(), b.offset()));
      jobs.forEach(this::append);
    }
  }
}
