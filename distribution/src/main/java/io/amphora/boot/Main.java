package io.amphora.boot;

import io.amphora.boot.cli.AmphoraCommand;
import io.amphora.boot.cli.CliFailure;
import io.amphora.boot.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The program. */
public final class Main {

  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private Main() {}

  /** Ends the process with 0 (done), 1 (failed) or 2 (usage, configuration or environment). */
  public static void main(String[] args) {
    int code = commandLine().execute(args);
    // What picocli prints itself, such as help, goes unproved otherwise.
    System.exit(code == 0 && System.out.checkError() ? FAILED : code);
  }

  /** All commands. */
  static CommandLine commandLine() {
    return AmphoraCommand.commandLine(Version.text(), new StartCommand())
        .setExecutionExceptionHandler(Main::report);
  }

  private static int report(Exception e, CommandLine commandLine, ParseResult parsed) {
    if (e instanceof ConfigException refused) {
      refused.problems().forEach(Main::complain);
      return USAGE;
    }
    if (e instanceof StartException refused) {
      complain(String.valueOf(refused.getMessage()));
      return refused.exitCode();
    }
    if (e instanceof CliFailure failure) {
      complain(String.valueOf(failure.getMessage()));
      return failure.exitCode();
    }
    complain("unexpected error; please report this");
    e.printStackTrace();
    return FAILED;
  }

  private static void complain(String line) {
    System.err.println("amphora: " + line);
  }
}
