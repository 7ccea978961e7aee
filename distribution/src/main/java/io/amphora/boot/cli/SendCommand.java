package io.amphora.boot.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code amphora send}. */
@Command(
    name = "send",
    description = {
      "Sends messages and waits until the broker has accepted each of them.",
      "Many are under way at a time."
    },
    footer = {
      "",
      "Examples:",
      "  amphora send orders --body 'hello' --key k1",
      "  amphora send orders --count 1000 --size 1KiB",
      "  amphora send orders --file order.json --property type=order",
      "",
      "Exit codes: 0 all accepted, 1 not all accepted, 2 usage or no connection,",
      "130 interrupted."
    })
final class SendCommand implements Callable<Integer> {

  private static final int INTERRUPTED = 130;

  /** Where the body comes from. */
  static final class Body {

    private static final int HEAP_SHARE = 4;
    private static final long LARGEST = 1L << 30;

    @Option(names = "--body", paramLabel = "TEXT", description = "Text of the message.")
    private Optional<String> text = Optional.empty();

    @Option(names = "--file", paramLabel = "FILE", description = "File with the body.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--size", paramLabel = "SIZE", description = "Body of that size: 1KiB.")
    private Optional<String> size = Optional.empty();

    byte[] bytes() {
      if (file.isPresent()) {
        return read(file.get());
      }
      return size.map(Body::filled)
          .orElseGet(() -> text.orElse("").getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] read(Path file) {
      try {
        fits("--file", file.toString(), Files.size(file));
        return Files.readAllBytes(file);
      } catch (IOException e) {
        throw CliFailure.usage("--file " + file + " cannot be read");
      }
    }

    private static byte[] filled(String size) {
      long bytes = Given.bytes("--size", size, 0);
      fits("--size", size, bytes);
      byte[] body = new byte[(int) bytes];
      Arrays.fill(body, (byte) 'x');
      return body;
    }

    /** A body is in memory as a whole, and once more on its way. */
    private static void fits(String option, String value, long bytes) {
      long most = Math.min(Runtime.getRuntime().maxMemory() / HEAP_SHARE, LARGEST);
      if (bytes > most) {
        throw CliFailure.usage(
            "%s %s is too large; this command has memory for %d MiB (AMPHORA_JAVA_OPTS=-Xmx4g)"
                .formatted(option, value, most >> 20));
      }
    }
  }

  @Parameters(paramLabel = "ADDRESS", description = "Topic, or topic/Partitions/N.")
  private String address = "";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private String count = "1";

  @ArgGroup private Body body = new Body();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Partition key: messages with the same key keep their order.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = "Application property; repeatable.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "30s",
      description = "Gives up when nothing moves for so long (default: ${DEFAULT-VALUE}).")
  private String timeout = "30s";

  @Mixin private AmqpClientOptions amqp = new AmqpClientOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    Given.address(address);
    long number = Given.whole("--count", count, 1, Long.MAX_VALUE);
    long patience = Given.millis("--timeout", timeout);
    byte[] bytes = body.bytes();
    SendRun run = new SendRun(address, number, patience, bytes.length);
    try (GentleStop stop = new GentleStop()) {
      try (Client client = Client.create();
          Connection connection = amqp.connect(client)) {
        run.send(connection, () -> message(bytes), stop);
      }
      output.say(run.json(), run.summary());
      run.problem().ifPresent(output::remark);
      return stop.requested() ? INTERRUPTED : run.complete() ? 0 : 1;
    }
  }

  private Message<byte[]> message(byte[] bytes) {
    try {
      Message<byte[]> message = Message.create(bytes).durable(true);
      if (key.isPresent()) {
        message.annotation("x-opt-partition-key", key.get());
      }
      for (Map.Entry<String, String> property : properties.entrySet()) {
        message.property(property.getKey(), property.getValue());
      }
      return message;
    } catch (ClientException e) {
      throw CliFailure.failed("the message cannot be made: " + e.getMessage());
    }
  }
}
