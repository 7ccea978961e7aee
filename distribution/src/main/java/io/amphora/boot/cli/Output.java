package io.amphora.boot.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
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
    proveWritten(out);
  }

  /** What writes one JSON document piece by piece. */
  interface Document {
    void write(JsonGenerator json) throws IOException, ClientException;
  }

  /** One line with one JSON document, which need not be in memory as a text. */
  void generated(Document document) throws ClientException {
    PrintWriter out = spec.commandLine().getOut();
    try (JsonGenerator json =
        JSON.getFactory().createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      document.write(json);
    } catch (IOException e) {
      throw CliFailure.failed("the message cannot be printed: " + e.getMessage());
    }
    out.println();
    proveWritten(out);
  }

  /** Neither kind of stream throws when its reader has gone or the disk is full. */
  private static void proveWritten(PrintWriter out) {
    out.flush();
    if (out.checkError() || System.out.checkError()) {
      throw CliFailure.failed("standard output cannot be written");
    }
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
