package io.amphora.boot.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Calls the REST interface; what the broker refuses becomes a {@link CliFailure}. */
final class RestClient {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
  private static final String API = "/api/v1";

  private final URI base;
  private final Optional<String> user;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_LIMIT)
          .build();

  /**
   * @param base scheme, host and port
   * @param user {@code USER:PASSWORD} for HTTP Basic (RFC 7617)
   */
  RestClient(URI base, Optional<String> user) {
    this.base = base;
    this.user = user.map(RestClient::basic);
  }

  private static String basic(String user) {
    return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * What came back.
   *
   * @param status HTTP status
   * @param body JSON; missing when there is none
   */
  record Answer(int status, JsonNode body) {}

  /** {@code topics}, {@code my/topic} becomes {@code /topics/my%2Ftopic}. */
  static String path(String... segments) {
    StringBuilder path = new StringBuilder();
    for (String segment : segments) {
      path.append('/')
          .append(URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    return path.toString();
  }

  JsonNode get(String path) {
    return call(request(API + path).GET()).body();
  }

  /** All items of a list, page by page. */
  List<JsonNode> items(String path) {
    List<JsonNode> items = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = get(cursor.isEmpty() ? path : path + "?after=" + encode(cursor));
      page.path("items").forEach(items::add);
      cursor = page.path("next").asText("");
      cursor = cursor.equals("null") ? "" : cursor;
    } while (!cursor.isEmpty());
    return items;
  }

  /** The items as one JSON array. */
  static ArrayNode array(List<JsonNode> items) {
    return Output.JSON.createArrayNode().addAll(items);
  }

  Answer put(String path, JsonNode body) {
    return call(
        request(API + path)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  void delete(String path) {
    call(request(API + path).DELETE());
  }

  /** Like {@link #get}, outside {@code /api/v1}, and whatever the status is. */
  Answer probe(String path) {
    return send(request(path).GET().build());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(ANSWER_LIMIT)
            .header("Accept", "application/json, application/problem+json");
    user.ifPresent(credentials -> request.header("Authorization", credentials));
    return request;
  }

  private Answer call(HttpRequest.Builder request) {
    Answer answer = send(request.build());
    if (answer.status() >= 400) {
      throw CliFailure.failed(problem(answer));
    }
    return answer;
  }

  private Answer send(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), json(response.body()));
    } catch (IOException e) {
      throw CliFailure.usage(
          "cannot reach " + base + "; is the broker running there? (--admin-url)");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CliFailure.failed("interrupted");
    }
  }

  private static JsonNode json(String body) {
    try {
      return body.isBlank() ? MissingNode.getInstance() : Output.JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return Output.JSON.createObjectNode().put("text", body);
    }
  }

  /** RFC 9457: detail says most, title is always there. */
  private static String problem(Answer answer) {
    JsonNode body = answer.body();
    String text = body.path("detail").asText(body.path("title").asText(""));
    String code = body.path("code").asText("");
    String field = body.path("field").asText("");
    return (text.isEmpty() ? "the broker answered with HTTP " + answer.status() : text)
        + (field.isEmpty() ? "" : " (field " + field + ")")
        + (code.isEmpty() ? "" : " [" + code + "]");
  }
}
