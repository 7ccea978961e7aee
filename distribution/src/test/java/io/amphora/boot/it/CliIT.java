package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person does in the first ten minutes. */
class CliIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int COUNT = 1000;

  @TempDir private Path dir;

  private static BrokerProcess ok(BrokerProcess command) throws Exception {
    assertThat(command.exitCode()).as("%s", command).isZero();
    return command;
  }

  private static List<JsonNode> receive(BrokerProcess broker, String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("receive", "orders", "--output", "json"));
    all.addAll(List.of(args));
    List<JsonNode> messages = new ArrayList<>();
    for (String line : ok(broker.command(all.toArray(String[]::new))).out()) {
      messages.add(JSON.readTree(line));
    }
    return messages;
  }

  private static JsonNode group(BrokerProcess broker, String name) throws Exception {
    BrokerProcess command = ok(broker.command("group", "describe", name, "--output", "json"));
    return JSON.readTree(String.join("\n", command.out()));
  }

  private static void assertAllRead(BrokerProcess broker, String group) throws Exception {
    JsonNode description = group(broker, group);
    assertThat(description.path("lag").asLong(-1)).as(description.toString()).isZero();
    long committed = 0;
    for (JsonNode position : description.path("positions")) {
      committed += position.path("committed").asLong();
    }
    assertThat(committed).as(description.toString()).isGreaterThanOrEqualTo(COUNT);
  }

  @Test
  void shouldGiveEveryGroupEveryMessageOnceAlsoAfterARestart() throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      ok(broker.command("topic", "create", "orders", "--partitions", "4"));
      BrokerProcess sent =
          ok(
              broker.command(
                  "send", "orders", "--count", "" + COUNT, "--size", "1KiB", "--key", "k1"));
      assertThat(sent.out()).singleElement().asString().contains("accepted " + COUNT);

      List<JsonNode> billing = receive(broker, "--group", "billing", "--count", "" + COUNT);
      assertThat(billing).hasSize(COUNT);
      assertThat(billing).extracting(m -> m.path("key").asText()).containsOnly("k1");
      assertThat(billing)
          .extracting(m -> m.path("partition").asInt(-1))
          .containsOnly(billing.get(0).path("partition").asInt());
      // Offsets need not start at 0 nor be dense: a leader epoch begins with a record of its own.
      assertThat(billing)
          .extracting(m -> m.path("offset").asLong(-1))
          .isSorted()
          .doesNotHaveDuplicates()
          .allMatch(offset -> offset >= 0);
      assertThat(billing)
          .extracting(m -> m.path("body").asText())
          .allMatch(b -> b.length() == 1024);
      assertThat(receive(broker, "--group", "audit")).hasSize(COUNT);
      assertAllRead(broker, "billing");
      assertAllRead(broker, "audit");
      assertThat(broker.terminate()).isZero();
    }
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      assertThat(receive(broker, "--group", "billing")).isEmpty();
      assertThat(receive(broker, "--group", "audit")).isEmpty();
      assertAllRead(broker, "billing");
      assertThat(receive(broker, "--group", "third", "--count", "" + COUNT)).hasSize(COUNT);
      assertThat(receive(broker)).as("the queue starts at the beginning").hasSize(COUNT);
      assertThat(receive(broker)).as("and is empty then").isEmpty();
    }
  }

  @Test
  void shouldManageTopics() throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      String name = "a/b c+d%é";
      ok(broker.command("topic", "create", name, "--partitions", "3", "--retention-time", "2d"));
      assertThat(ok(broker.command("topic", "list")).out())
          .anyMatch(line -> line.startsWith(name) && line.contains("3") && line.contains("2d"));
      assertThat(ok(broker.command("topic", "describe", name)).out())
          .anyMatch(line -> line.contains("partitions = 3"));
      BrokerProcess bad = broker.command("topic", "create", "x", "--partitions", "0");
      assertThat(bad.exitCode()).isEqualTo(2);
      assertThat(bad.err()).singleElement().asString().contains("partitions");
      ok(broker.command("topic", "delete", name));
      BrokerProcess gone = broker.command("topic", "describe", name);
      assertThat(gone.exitCode()).isEqualTo(1);
      assertThat(gone.err()).singleElement().asString().startsWith("amphora: ");
    }
  }
}
