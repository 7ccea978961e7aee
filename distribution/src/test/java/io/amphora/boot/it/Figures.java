package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads the figures of one broker over REST. */
final class Figures {

  /** Generous: the machine may be busy. */
  private static final int TRIES = 600;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;

  Figures(BrokerProcess broker) {
    url = broker.httpUrl() + "/api/v1/";
  }

  /** Waits until the journal of positions has this of a group. */
  void await(String group, long lag, long parked, long retried) throws Exception {
    String seen = "";
    for (int i = 0; i < TRIES; i++) {
      JsonNode shown = get("groups/" + encoded(group));
      seen = shown.toString();
      if (shown.path("lag").asLong() == lag
          && shown.path("parked").asLong() == parked
          && shown.path("retried").asLong() == retried) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new AssertionError("lag, parked, retried never got there: " + seen);
  }

  /**
   * All that is known of a group, without what changes by itself: the age of what is open, and the
   * end, which each start moves by its own record.
   */
  List<JsonNode> of(String group) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode position : get("groups/" + encoded(group)).path("positions")) {
      ObjectNode kept = position.deepCopy();
      kept.remove(List.of("end", "lagSeconds"));
      String where =
          "?topic=" + position.path("topic").asText() + "&partition=" + position.get("partition");
      kept.set("ranges", get("groups/" + encoded(group) + "/parked" + where).path("items"));
      all.add(kept);
    }
    return all;
  }

  /** One number of each partition of a topic. */
  List<Long> partitions(String topic, String figure) throws Exception {
    List<Long> all = new ArrayList<>();
    get("topics/" + topic + "/partitions")
        .path("items")
        .forEach(partition -> all.add(partition.path(figure).asLong()));
    return all;
  }

  /** The answer to a path below {@code /api/v1/}. */
  JsonNode get(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
