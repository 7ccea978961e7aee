package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.ProblemException;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.topology.TopicInfo;
import io.vertx.core.Future;
import java.util.Optional;

/** Browsing: committed messages of a partition from an offset on; moves no position. */
public final class MessagesResource {
  private static final int DEFAULT_LIMIT = 50;
  private static final int READ_BYTES = 1 << 20;

  /** Reads for one page; what is not found by then is found from {@code next} on. */
  private static final int MAX_READS = 16;

  private final Broker broker;
  private final Loop loop;

  public MessagesResource(Broker broker, Loop loop) {
    this.broker = broker;
    this.loop = loop;
  }

  public void mount(RouteTable routes) {
    routes.get("/api/v1/topics/{topic}/messages", this::browse, "partition", "offset", "limit");
  }

  private Future<Answer> browse(ApiRequest request) {
    TopicInfo topic = TopicsResource.existing(broker, request.path("topic"));
    int partition = (int) request.number("partition", 0, 0, Integer.MAX_VALUE);
    long offset = request.number("offset", 0, 0, Long.MAX_VALUE);
    int limit = (int) request.number("limit", DEFAULT_LIMIT, 1, Page.MAX_LIMIT);
    PartitionRef ref =
        broker
            .partition(topic, partition)
            .orElseThrow(
                () -> ProblemException.notFound("topic has no partition " + partition + " here"));
    MessagePage page = new MessagePage(partition, offset, limit);
    return read(ref, page, MAX_READS)
        .map(
            last -> {
              boolean more = page.next() < last.highWatermark();
              Optional<LongNode> next =
                  more ? Optional.of(LongNode.valueOf(page.next())) : Optional.empty();
              ObjectNode json = Page.list(page.items(), next);
              json.put("logStart", last.logStart());
              json.put("highWatermark", last.highWatermark());
              return Answer.json(200, json);
            });
  }

  private Future<ReadSlice> read(PartitionRef ref, MessagePage page, int reads) {
    ReadRequest request = new ReadRequest(page.next(), READ_BYTES);
    return Asking.<ReadSlice>ask(done -> ref.read(request, loop, done))
        .compose(
            slice -> {
              boolean moved = page.add(slice);
              return moved && !page.isFull() && reads > 1
                  ? read(ref, page, reads - 1)
                  : Future.succeededFuture(slice);
            });
  }
}
