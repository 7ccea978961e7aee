package io.amphora.boot.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints what it found: for people, or for programs. */
final class Output {

  /** The forms. */
  enum Form {
    TABLE,
    JSON
  }

  /** Reads and writes JSON everywhere in the commands. */
  static final ObjectMapper JSON = new ObjectMapper();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      defaultValue = "table",
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Form form = Form.TABLE;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  boolean isJson() {
    return form == Form.JSON;
  }

  /** One line. */
  void line(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text);
    out.flush();
  }

  /** A remark that is no result. */
  void remark(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(text);
    err.flush();
  }

  /** JSON as it is, or a table. */
  void show(JsonNode json, Supplier<List<List<String>>> table) {
    if (isJson()) {
      json(json);
    } else {
      TextTable.lines(table.get()).forEach(this::line);
    }
  }

  /** JSON as it is, or one sentence. */
  void say(JsonNode json, String sentence) {
    if (isJson()) {
      json(json);
    } else {
      line(sentence);
    }
  }

  private void json(JsonNode json) {
    try {
      line(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("JSON cannot be written", e);
    }
  }
}
