package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.ProblemException;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.ScramPassword;
import io.amphora.core.topology.UserCredential;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Users. Passwords go in and never come out, not even hashed. */
public final class UsersResource {
  private static final List<String> ROLES = List.of("admin", "monitor", "user");
  private static final int MAX_NAME_BYTES = 255;
  private static final int MAX_PASSWORD = 1024;

  private final Vertx vertx;
  private final Broker broker;
  private final Loop loop;

  public UsersResource(Vertx vertx, Broker broker, Loop loop) {
    this.vertx = vertx;
    this.broker = broker;
    this.loop = loop;
  }

  public void mount(RouteTable routes) {
    routes
        .get("/api/v1/users", this::list, "limit", "after")
        .get("/api/v1/users/{user}", this::show)
        .put("/api/v1/users/{user}", this::put)
        .delete("/api/v1/users/{user}", this::delete);
  }

  private Future<Answer> list(ApiRequest request) {
    Map<String, UserCredential> users = broker.topology().users();
    Page page = Page.of(request, users.keySet().stream());
    return Future.succeededFuture(
        Answer.json(
            200,
            page.toJson(
                page.names().stream()
                    .flatMap(name -> Optional.ofNullable(users.get(name)).stream())
                    .map(UsersResource::json)
                    .toList())));
  }

  private Future<Answer> show(ApiRequest request) {
    return Future.succeededFuture(Answer.json(200, json(existing(request.path("user")))));
  }

  private UserCredential existing(String name) {
    return Optional.ofNullable(broker.topology().users().get(name))
        .orElseThrow(() -> ProblemException.notFound("there is no user '" + name + "'"));
  }

  private Future<Answer> put(ApiRequest request) {
    String name = checkedName(request.path("user"));
    ObjectNode body = request.object();
    body.fieldNames().forEachRemaining(UsersResource::checkField);
    String role = text(body, "role", "user");
    if (!ROLES.contains(role)) {
      throw ProblemException.invalid("role", "must be one of " + String.join(", ", ROLES));
    }
    String password = text(body, "password", "");
    if (password.isEmpty() || password.length() > MAX_PASSWORD) {
      throw ProblemException.invalid("password", "must have 1 to " + MAX_PASSWORD + " characters");
    }
    int status = broker.topology().users().containsKey(name) ? 200 : 201;
    return vertx
        .executeBlocking(() -> ScramPassword.create(name, role, password), false)
        .compose(user -> Asking.<UserCredential>ask(done -> broker.putUser(user, loop, done)))
        .map(user -> Answer.json(status, json(user)));
  }

  private static void checkField(String field) {
    if (!field.equals("role") && !field.equals("password")) {
      throw ProblemException.invalid(field, "unknown; known are password, role");
    }
  }

  /** No colon, because HTTP Basic ends the name there (RFC 7617 section 2). */
  private static String checkedName(String name) {
    boolean legal =
        name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES
            && name.codePoints().noneMatch(c -> c == ':' || Character.isISOControl(c));
    if (!legal) {
      throw ProblemException.invalid(
          "user", "must have 1 to 255 UTF-8 bytes, without colon and control characters");
    }
    return name;
  }

  private static String text(ObjectNode body, String field, String absent) {
    JsonNode value = body.path(field);
    if (value.isMissingNode()) {
      return absent;
    }
    if (!value.isTextual()) {
      throw ProblemException.invalid(field, "must be a string");
    }
    return value.textValue();
  }

  private Future<Answer> delete(ApiRequest request) {
    String name = existing(request.path("user")).name();
    return Asking.<String>ask(done -> broker.deleteUser(name, loop, done))
        .map(deleted -> Answer.none());
  }

  private static ObjectNode json(UserCredential user) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", user.name());
    json.put("role", user.role());
    return json;
  }
}
