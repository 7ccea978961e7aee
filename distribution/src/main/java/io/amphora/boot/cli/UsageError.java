package io.amphora.boot.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with what was typed, and where the help is. */
final class UsageError {

  private static final int EXIT_CODE = 2;

  private UsageError() {}

  /** Prints it on standard error. */
  static int report(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    command.getErr().println("amphora: " + text(e));
    command.getErr().flush();
    return EXIT_CODE;
  }

  private static String text(ParameterException e) {
    String what = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ").strip();
    return lowerFirst(what)
        + suggestion(e)
        + " ("
        + e.getCommandLine().getCommandSpec().qualifiedName()
        + " --help)";
  }

  private static String suggestion(ParameterException e) {
    List<String> near =
        e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
    return near.isEmpty() ? "" : "; did you mean " + near.get(0) + "?";
  }

  private static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
