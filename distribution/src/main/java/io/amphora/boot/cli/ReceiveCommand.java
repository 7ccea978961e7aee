package io.amphora.boot.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code amphora receive}. */
@Command(
    name = "receive",
    description = {
      "Receives messages, prints and accepts them.",
      "With --group as a member of that consumer group, without as a reader of the topic's queue.",
      "Stops after --count messages, or when nothing comes for --timeout; --follow goes on."
    },
    footer = {
      "",
      "Examples:",
      "  amphora receive orders",
      "  amphora receive orders --group billing --count 1000",
      "  amphora receive orders --group audit --follow --output json",
      "",
      "Exit codes: 0 done, 1 failed or fewer than --count, 2 usage or no connection, 130"
          + " interrupted."
    })
final class ReceiveCommand implements Callable<Integer> {

  private static final int INTERRUPTED = 130;

  @Parameters(paramLabel = "ADDRESS", description = "Topic, or any receiver address.")
  private String address = "";

  @Option(names = "--group", paramLabel = "GROUP", description = "Consumer group to join.")
  private Optional<String> group = Optional.empty();

  @Option(names = "--count", paramLabel = "N", description = "Stops after so many.")
  private Optional<String> count = Optional.empty();

  @Option(names = "--follow", description = "Waits for more until interrupted.")
  private boolean follow;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long to wait for the next message (default: 3s; 30s with --count).")
  private Optional<String> timeout = Optional.empty();

  @Mixin private AmqpClientOptions amqp = new AmqpClientOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    String source = source();
    long wanted =
        count.map(n -> Given.whole("--count", n, 1, Long.MAX_VALUE)).orElse(Long.MAX_VALUE);
    String quiet = timeout.orElse(count.isPresent() ? "30s" : "3s");
    long patience = follow ? -1 : Given.millis("--timeout", quiet);
    ReceiveRun run = new ReceiveRun(new MessageView(output), wanted, patience);
    try (GentleStop stop = new GentleStop()) {
      try (Client client = Client.create();
          Connection connection = amqp.connect(client)) {
        run.receive(connection, source, stop);
      }
      output.remark("received " + run.received() + (stop.requested() ? ", interrupted" : ""));
      if (stop.requested()) {
        return INTERRUPTED;
      }
    }
    if (count.isPresent() && run.received() < wanted) {
      throw CliFailure.failed("only " + run.received() + " of " + wanted + " came");
    }
    return 0;
  }

  private String source() {
    Given.address(address);
    if (group.isEmpty()) {
      return address;
    }
    int separator = address.indexOf("::");
    if (separator >= 0) {
      throw CliFailure.usage(
          "the address names the group "
              + address.substring(separator + 2)
              + " already; name the group once");
    }
    if (group.get().isBlank()) {
      throw CliFailure.usage("--group is empty; write a name");
    }
    return address + "::" + group.get();
  }
}
