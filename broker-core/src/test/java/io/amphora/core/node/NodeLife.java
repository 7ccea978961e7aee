package io.amphora.core.node;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.BrokerException;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.sim.SimMembership;
import io.amphora.core.sim.SimPositionStore;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.TransactionLimits;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.disk.DiskOptions;
import io.amphora.wal.disk.DiskWal;
import io.amphora.wal.disk.SimulatedFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One life of a node with the real disk thread on a simulated disk: from start until the power goes
 * off. A question that the dead node can not answer any more ends the life with {@link Dead}.
 */
final class NodeLife {

  /** Nothing more comes from this node. */
  static final class Dead extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final CoreOptions OPTIONS =
      new CoreOptions(4 << 20, 64 << 10, 10, 1000, 1, 60_000, TransactionLimits.DEFAULT);

  private final List<ThreadLoop> loops =
      List.of(new ThreadLoop("loop-0"), new ThreadLoop("loop-1"), new ThreadLoop("control"));
  private final ThreadLoop client = new ThreadLoop("client");
  private final CompletableFuture<Void> fault = new CompletableFuture<>();
  private final DiskWal wal;
  private final RunningBroker broker;

  NodeLife(SimulatedFiles files) {
    wal =
        DiskWal.open(
            files,
            Path.of("/data"),
            DiskOptions.DEFAULT.withReserve(0).withFaults(f -> fault.complete(null)));
    BrokerPorts ports =
        new BrokerPorts(
            List.<Loop>of(loops.get(0), loops.get(1)),
            loops.get(2),
            wal,
            new SimMembership("b1"),
            (term, version, document) -> {},
            new SimPositionStore(),
            (what, cause) -> fault.complete(null),
            new MetricRegistry());
    try {
      broker = ask((Consumer<Reply<RunningBroker>> d) -> LocalBroker.start(ports, OPTIONS, d));
    } catch (Dead | BrokerException e) {
      end();
      throw e;
    }
  }

  boolean has(String topic) {
    return broker.topology().topics().containsKey(topic);
  }

  TopicInfo create(String topic, io.amphora.core.topology.TopicConfig config) {
    return ask((Consumer<Reply<TopicInfo>> d) -> broker.createTopic(topic, config, client, d));
  }

  PartitionRef partition(String topic, int number) {
    return broker.partition(broker.topology().topics().get(topic), number).orElseThrow();
  }

  /** Appends without waiting; answers go into the queue. */
  void append(PartitionRef to, String body, LinkedBlockingQueue<String> accepted) {
    to.append(
        new AppendRequest(
            NodeHarness.batch(body),
            Acks.ALL,
            client,
            (request, result) -> {
              if (result instanceof AppendResult.Appended) {
                accepted.add(body);
              }
            }));
  }

  List<String> messages(String topic, int number) {
    List<String> found = new ArrayList<>();
    long offset = 0;
    while (true) {
      ReadRequest request = new ReadRequest(offset, 8 << 10);
      ReadSlice slice =
          ask((Consumer<Reply<ReadSlice>> d) -> partition(topic, number).read(request, client, d));
      if (slice.batches().isEmpty()) {
        return found;
      }
      for (RecordBatch batch : slice.batches()) {
        offset = batch.endOffset();
        if (!batch.isControl()) {
          for (LogRecord record : batch) {
            found.add(NodeHarness.text(record));
          }
        }
      }
    }
  }

  private <T> T ask(Consumer<Consumer<Reply<T>>> question) {
    CompletableFuture<Reply<T>> answer = new CompletableFuture<>();
    fault.thenRun(() -> answer.completeExceptionally(new Dead()));
    question.accept(answer::complete);
    try {
      return answer.get(60, TimeUnit.SECONDS).orThrow();
    } catch (ExecutionException e) {
      throw new Dead();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** Ends all threads of this life. */
  void end() {
    try {
      wal.close();
    } catch (RuntimeException e) {
      // The power is off: closing fails, which is what the test wants.
    }
    loops.forEach(ThreadLoop::stop);
    client.stop();
  }
}
