package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.AdminOptions;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.node.BrokerStatus;
import io.amphora.core.topology.Topology;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.TreeSet;

/** This broker and its cluster: identity, status, health, configuration. */
public final class NodeResource {
  private final Broker broker;
  private final Loop loop;
  private final AdminOptions options;
  private final long startedNanos;

  public NodeResource(Broker broker, Loop loop, AdminOptions options) {
    this.broker = broker;
    this.loop = loop;
    this.options = options;
    this.startedNanos = loop.nowNanos();
  }

  public void mount(RouteTable routes) {
    routes
        .get("/", this::index)
        .get("/health/live", this::live)
        .get("/health/ready", this::ready)
        .get("/api/v1/cluster", this::cluster)
        .get("/api/v1/status", this::status)
        .get("/api/v1/config", this::config);
  }

  private Future<Answer> index(ApiRequest request) {
    String text =
        "Amphora "
            + options.version()
            + "\nREST: /api/v1 (described by /api/v1/openapi.json)\n"
            + "Metrics: /metrics\nHealth: /health/live, /health/ready\n";
    return Future.succeededFuture(
        Answer.text("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Alive is who answers. */
  private Future<Answer> live(ApiRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return Future.succeededFuture(Answer.json(200, json.put("live", true)));
  }

  private Future<Answer> ready(ApiRequest request) {
    BrokerStatus status = broker.status();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    readiness(json, status);
    return Future.succeededFuture(Answer.json(status.ready() ? 200 : 503, json));
  }

  private static void readiness(ObjectNode json, BrokerStatus status) {
    json.put("ready", status.ready());
    json.put("reason", status.ready() ? null : status.notReadyReason());
  }

  private Future<Answer> status(ApiRequest request) {
    BrokerStatus status = broker.status();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("brokerId", status.brokerId());
    json.put("clusterId", status.clusterId());
    json.put("version", options.version());
    readiness(json, status);
    ArrayNode alarms = json.putArray("alarms");
    status.alarms().forEach(alarms::add);
    json.put("uptimeMillis", (loop.nowNanos() - startedNanos) / 1_000_000);
    return Future.succeededFuture(Answer.json(200, json));
  }

  private Future<Answer> cluster(ApiRequest request) {
    Topology topology = broker.topology();
    String self = broker.status().brokerId();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("clusterId", topology.clusterId());
    json.put("term", topology.term());
    json.put("version", topology.version());
    TreeSet<String> ids = new TreeSet<>(topology.voters());
    ids.add(self);
    ArrayNode brokers = json.putArray("brokers");
    for (String id : ids) {
      brokers
          .addObject()
          .put("id", id)
          .put("self", id.equals(self))
          .put("voter", topology.voters().contains(id));
    }
    return Future.succeededFuture(Answer.json(200, json));
  }

  private Future<Answer> config(ApiRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    new TreeMap<>(options.config()).forEach(json::put);
    return Future.succeededFuture(Answer.json(200, json));
  }
}
