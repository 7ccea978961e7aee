package io.amphora.boot.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of all commands. */
@Command(
    name = "amphora",
    description = "A message broker: AMQP 1.0 on a partitioned, replayable log.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "COMMAND")
public final class AmphoraCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  private AmphoraCommand() {}

  /**
   * The whole command line.
   *
   * @param version shown by {@code --version}
   * @param start the command that runs a broker
   */
  public static CommandLine commandLine(String version, Object start) {
    CommandLine root = new CommandLine(new AmphoraCommand());
    root.addSubcommand(start)
        .addSubcommand(new TopicCommand())
        .addSubcommand(new SendCommand())
        .addSubcommand(new ReceiveCommand())
        .addSubcommand(new PerfCommand())
        .addSubcommand(new GroupCommand())
        .addSubcommand(new StatusCommand())
        .addSubcommand(new ConfigCommand())
        .addSubcommand(new LogCommand());
    root.setParameterExceptionHandler(UsageError::report);
    root.setCaseInsensitiveEnumValuesAllowed(true);
    versioned(root, "amphora " + version);
    root.getCommandSpec()
        .usageMessage()
        .footer(
            "",
            "Examples:",
            "  amphora start",
            "  amphora topic create orders --partitions 4",
            "  amphora send orders --body hello --key k1",
            "  amphora receive orders --group billing",
            "",
            "Every command has --help. Exit codes: 0 ok, 1 failed, 2 usage or environment, 130"
                + " interrupted.");
    return root;
  }

  /** Without a command: a mistake. */
  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "which command? start, topic, send, receive, perf, group, status, config or log");
  }

  private static void versioned(CommandLine command, String version) {
    command.getCommandSpec().version(version);
    command.getSubcommands().values().forEach(sub -> versioned(sub, version));
  }
}
