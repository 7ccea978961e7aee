package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one client wrote, each other client reads: equal, with all types. */
@Tag("interop")
class MatrixIT {

  @TempDir static Path dir;
  private static BrokerProcess broker;
  private static CaseTable table;
  private static List<MatrixClient> clients;

  @BeforeAll
  static void writeWithEveryClient() throws Exception {
    table = new CaseTable();
    clients =
        List.of(
            ScriptClient.protonPython(),
            ScriptClient.rhea(),
            new Protonj2MatrixClient(),
            new JmsMatrixClient());
    broker = BrokerProcess.serving(dir.resolve("data"));
    for (MatrixClient writer : clients) {
      writer.write(broker.amqpPort(), address(writer), table.writtenBy(writer.name()));
    }
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static String address(MatrixClient writer) {
    return "written-by-" + writer.name();
  }

  static Stream<Arguments> pairs() {
    List<String> names = List.of("python", "rhea", "protonj2", "jms");
    List<Arguments> pairs = new ArrayList<>();
    names.forEach(writer -> names.forEach(reader -> pairs.add(Arguments.of(writer, reader))));
    return pairs.stream();
  }

  @ParameterizedTest(name = "written by {0}, read by {1}")
  @MethodSource("pairs")
  void shouldReadWhatWasWritten(String writerName, String readerName) throws Exception {
    MatrixClient writer = client(writerName);
    MatrixClient reader = client(readerName);
    String address = address(writer) + "::read-by-" + readerName;
    int count = table.writtenBy(writerName).size();

    List<JsonNode> read = reader.read(broker.amqpPort(), address, count);

    int compared = table.compare(writerName, readerName, read);
    System.out.println(writerName + " to " + readerName + ": " + compared + " of " + count);
    assertThat(compared).isGreaterThanOrEqualTo(10);
  }

  private static MatrixClient client(String name) {
    return clients.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }
}
