package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.AmqpRetryOptions;
import io.amphora.boot.it.BrokerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** How Azure's clients find a broker on this machine. */
final class AzureSdk {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private AzureSdk() {}

  /** The connection string of an emulator: plain TCP, a token that nobody verifies. */
  static String emulator(BrokerProcess broker) {
    return "Endpoint=sb://localhost:"
        + broker.amqpPort()
        + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;"
        + "UseDevelopmentEmulator=true;";
  }

  /** Fail soon: a test has nothing to hope for from an hour of tries. */
  static AmqpRetryOptions retries() {
    return new AmqpRetryOptions()
        .setMaxRetries(2)
        .setDelay(Duration.ofMillis(100))
        .setTryTimeout(Duration.ofSeconds(30));
  }

  static void createTopic(BrokerProcess broker, String name, int partitions) throws Exception {
    URI uri = URI.create(broker.httpUrl() + "/api/v1/topics/" + name);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("content-type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString("{\"partitions\":" + partitions + "}"))
            .build();
    HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }
}
