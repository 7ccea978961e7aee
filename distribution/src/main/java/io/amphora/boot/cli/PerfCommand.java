package io.amphora.boot.cli;

import io.amphora.boot.perf.load.Load;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code amphora perf}: a load for a broker, and how it bore it. */
@Command(
    name = "perf",
    description = {
      "Loads a broker and says how fast it was: rate, MiB/s, latency percentiles, errors.",
      "Messages are durable, and count when they were accepted."
    },
    footer = {
      "",
      "Examples:",
      "  amphora perf publish --seconds 30",
      "  amphora perf consume --count 1000000",
      "  amphora perf roundtrip --rate 1000"
    },
    subcommands = {
      PerfCommand.Publish.class,
      PerfCommand.Consume.class,
      PerfCommand.RoundTrip.class
    })
final class PerfCommand implements Callable<Integer> {

  private static final int ANY_SIZE = 1024;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Without a command: a mistake. */
  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "which load? publish, consume or roundtrip");
  }

  /** {@code amphora perf publish}. */
  @Command(
      name = "publish",
      description = {
        "Sends messages as fast as the broker takes them, or at a fixed rate.",
        "They stay in the topic, which is created where topics.auto-create allows it."
      },
      footer = {
        "",
        "Examples:",
        "  amphora perf publish",
        "  amphora perf publish --address orders --size 100B --count 1000000 --connections 4",
        "  amphora perf publish --rate 10000 --seconds 60 --acks 1",
        "",
        "Exit codes: 0 all accepted, 1 not all accepted, 2 usage or no connection,",
        "130 interrupted."
      })
  static final class Publish implements Callable<Integer> {

    @Option(
        names = "--address",
        paramLabel = "ADDRESS",
        defaultValue = "perf",
        description = "Topic (default: ${DEFAULT-VALUE}).")
    private String address = "perf";

    @Mixin private PerfMessages messages = new PerfMessages();
    @Mixin private PerfOptions options = new PerfOptions();
    @Mixin private AmqpClientOptions amqp = new AmqpClientOptions();
    @Mixin private Output output = new Output();

    @Override
    public Integer call() {
      Load load = messages.load(amqp.target(Given.address(address)), options);
      PerfRun run = new PerfRun(load.with(load.publishers(), 0), options.amount(), output);
      return run.execute(PerfReport.PUBLISH);
    }
  }

  /** {@code amphora perf consume}. */
  @Command(
      name = "consume",
      description = {
        "Receives and accepts messages that are there, as fast as the broker sends them.",
        "It takes them away from others that read the same address; topic::group reads with a",
        "position of its own. It knows no latency: roundtrip does."
      },
      footer = {
        "",
        "Examples:",
        "  amphora perf consume --count 1000000",
        "  amphora perf consume --address orders::perf --seconds 30",
        "",
        "Exit codes: 0 done, 1 failed, nothing came or fewer than --count,",
        "2 usage or no connection, 130 interrupted."
      })
  static final class Consume implements Callable<Integer> {

    @Option(
        names = "--address",
        paramLabel = "ADDRESS",
        defaultValue = "perf",
        description = "Topic, or topic::group (default: ${DEFAULT-VALUE}).")
    private String address = "perf";

    @Mixin private PerfOptions options = new PerfOptions();
    @Mixin private AmqpClientOptions amqp = new AmqpClientOptions();
    @Mixin private Output output = new Output();

    @Override
    public Integer call() {
      Load load =
          new Load(
              amqp.target(Given.address(address)),
              options.connections(),
              ANY_SIZE,
              options.window());
      PerfRun run = new PerfRun(load.with(0, load.consumers()), options.amount(), output);
      return run.execute(PerfReport.CONSUME);
    }
  }

  /** {@code amphora perf roundtrip}. */
  @Command(
      name = "roundtrip",
      description = {
        "Sends messages and receives them again. Without --rate one at a time: the next is sent",
        "when the last was accepted and received. With --rate: from when each was due until it",
        "was received, whether or not the broker kept up.",
        "Messages of others at the address are accepted, too, and do not count: use an address of",
        "its own."
      },
      footer = {
        "",
        "Examples:",
        "  amphora perf roundtrip",
        "  amphora perf roundtrip --rate 10000 --seconds 60 --connections 2",
        "",
        "Exit codes: 0 all came back, 1 not all came back, 2 usage or no connection,",
        "130 interrupted."
      })
  static final class RoundTrip implements Callable<Integer> {

    @Option(
        names = "--address",
        paramLabel = "ADDRESS",
        defaultValue = "perf-roundtrip",
        description = "Topic (default: ${DEFAULT-VALUE}).")
    private String address = "perf-roundtrip";

    @Mixin private PerfMessages messages = new PerfMessages();
    @Mixin private PerfOptions options = new PerfOptions();
    @Mixin private AmqpClientOptions amqp = new AmqpClientOptions();
    @Mixin private Output output = new Output();

    @Override
    public Integer call() {
      Load load = messages.load(amqp.target(Given.address(address)), options);
      PerfRun run = new PerfRun(load, options.amount(), output);
      if (messages.hasRate()) {
        return run.execute(PerfReport.RATE);
      }
      if (load.publishers() > 1) {
        throw CliFailure.usage("one message at a time needs one connection; or give a --rate");
      }
      return run.execute(PerfReport.ROUND_TRIP);
    }
  }
}
