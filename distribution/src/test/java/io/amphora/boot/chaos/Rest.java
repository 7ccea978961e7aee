package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.amphora.boot.it.BrokerProcess;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The admin API of one broker, as far as these tests ask it. */
final class Rest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final BrokerProcess broker;

  Rest(BrokerProcess broker) {
    this.broker = broker;
  }

  void createTopic(String name, String settings) throws Exception {
    HttpRequest.Builder request = request("topics/" + name);
    request.header("content-type", "application/json");
    request.PUT(HttpRequest.BodyPublishers.ofString(settings));
    HttpResponse<String> response = send(request);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  void deleteTopic(String name) throws Exception {
    HttpResponse<String> response = send(request("topics/" + name).DELETE());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(204);
  }

  List<String> topics() throws Exception {
    HttpResponse<String> response = send(request("topics?limit=500"));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    List<String> names = new ArrayList<>();
    new ObjectMapper()
        .readTree(response.body())
        .get("items")
        .forEach(topic -> names.add(topic.get("name").asText()));
    return names;
  }

  /** Committed offset per partition of a topic; empty for a group that is not known yet. */
  Map<Integer, Long> positions(String group, String topic) throws Exception {
    HttpResponse<String> response = send(request("groups/" + encode(group)));
    // A map that does not answer in time is "unknown", never "none": ask again.
    for (int again = 0; again < 30 && response.statusCode() == 504; again++) {
      response = send(request("groups/" + encode(group)));
    }
    Map<Integer, Long> result = new HashMap<>();
    if (response.statusCode() == 404) {
      return result;
    }
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    for (JsonNode position : new ObjectMapper().readTree(response.body()).get("positions")) {
      if (position.get("topic").asText().equals(topic) && !position.get("committed").isNull()) {
        result.put(position.get("partition").asInt(), position.get("committed").asLong());
      }
    }
    return result;
  }

  private static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(broker.httpUrl() + "/api/v1/" + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
