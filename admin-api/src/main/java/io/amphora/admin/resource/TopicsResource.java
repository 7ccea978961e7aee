package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.Problem;
import io.amphora.admin.http.ProblemException;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Topics: list, show, create, delete. */
public final class TopicsResource {
  private final Broker broker;
  private final Loop loop;
  private final TopicConfig defaults;

  /**
   * @param defaults settings that a request leaves open, by REST field name
   * @throws ProblemException when a default is unknown or out of bounds
   */
  public TopicsResource(Broker broker, Loop loop, Map<String, String> defaults) {
    this.broker = broker;
    this.loop = loop;
    this.defaults = TopicRequest.ofText(defaults).over(TopicConfig.DEFAULT);
  }

  public void mount(RouteTable routes) {
    routes
        .get("/api/v1/topics", this::list, "limit", "after", "internal")
        .get("/api/v1/topics/{topic}", this::show)
        .put("/api/v1/topics/{topic}", this::create)
        .delete("/api/v1/topics/{topic}", this::delete);
  }

  private Future<Answer> list(ApiRequest request) {
    boolean internal = request.flag("internal");
    Map<String, TopicInfo> topics = broker.topology().topics();
    Page page =
        Page.of(
            request,
            topics.values().stream()
                .filter(topic -> internal || !topic.isInternal())
                .map(TopicInfo::name));
    return Future.succeededFuture(
        Answer.json(
            200,
            page.toJson(
                page.names().stream()
                    .flatMap(name -> Optional.ofNullable(topics.get(name)).stream())
                    .map(TopicsResource::json)
                    .toList())));
  }

  private Future<Answer> show(ApiRequest request) {
    return Future.succeededFuture(Answer.json(200, json(existing(broker, request.path("topic")))));
  }

  /**
   * The topic of this name.
   *
   * @throws ProblemException 404 when there is none
   */
  static TopicInfo existing(Broker broker, String name) {
    return Optional.ofNullable(broker.topology().topics().get(name))
        .orElseThrow(() -> ProblemException.notFound("there is no topic '" + name + "'"));
  }

  private Future<Answer> create(ApiRequest request) {
    String name = request.path("topic");
    TopicRequest asked = TopicRequest.of(request.object());
    Optional<TopicInfo> present = Optional.ofNullable(broker.topology().topics().get(name));
    if (present.isPresent()) {
      return Future.succeededFuture(keep(present.get(), asked));
    }
    TopicName.problem(name)
        .ifPresent(
            why -> {
              throw ProblemException.invalid("topic", why);
            });
    return Asking.<TopicInfo>ask(done -> broker.createTopic(name, asked.over(defaults), loop, done))
        .map(topic -> Answer.json(201, json(topic)))
        .recover(error -> onRefused(error, name, asked));
  }

  /** Somebody else may have created it in the meantime: then this request is like a later one. */
  private Future<Answer> onRefused(Throwable error, String name, TopicRequest asked) {
    boolean exists =
        error instanceof BrokerException refused && refused.code() == ErrorCode.ALREADY_EXISTS;
    return Optional.ofNullable(broker.topology().topics().get(name))
        .filter(topic -> exists)
        .map(topic -> Future.succeededFuture(keep(topic, asked)))
        .orElseGet(() -> Future.failedFuture(error));
  }

  private static Answer keep(TopicInfo topic, TopicRequest asked) {
    if (asked.isMetBy(topic.config())) {
      return Answer.json(200, json(topic));
    }
    throw new ProblemException(
        new Problem(
            409,
            "already-exists",
            "topic '" + topic.name() + "' exists with other settings, which cannot be altered yet",
            ""));
  }

  private Future<Answer> delete(ApiRequest request) {
    TopicInfo topic = existing(broker, request.path("topic"));
    if (topic.isInternal()) {
      throw new ProblemException(
          new Problem(403, "not-allowed", "the broker needs its internal topics", ""));
    }
    return Asking.<TopicInfo>ask(done -> broker.deleteTopic(topic.name(), loop, done))
        .map(deleted -> Answer.none());
  }

  private static ObjectNode json(TopicInfo topic) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", topic.name());
    json.put("id", topic.id().toString());
    json.put("internal", topic.isInternal());
    ObjectNode config = json.putObject("config");
    for (TopicSetting setting : TopicSetting.values()) {
      config.putPOJO(setting.field(), setting.show(topic.config()));
    }
    json.put("createdMillis", topic.createdMillis());
    return json;
  }
}
