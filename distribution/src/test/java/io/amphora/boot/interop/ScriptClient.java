package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A client in another language: a script that is run for each step. */
final class ScriptClient implements MatrixClient {

  private static final String PYTHON = "/usr/bin/python3";
  private static final Path SCRIPTS = Path.of("src/test").toAbsolutePath();

  private final String name;
  private final List<String> command;

  private ScriptClient(String name, String... command) {
    this.name = name;
    this.command = List.of(command);
  }

  /** Debian's package python3-qpid-proton. */
  static ScriptClient protonPython() {
    return new ScriptClient("python", PYTHON, SCRIPTS.resolve("python/matrix.py").toString());
  }

  /** Node.js; installs what the lock file names, if that was not done before. */
  static ScriptClient rhea() throws Exception {
    installRhea();
    return new ScriptClient("rhea", "node", SCRIPTS.resolve("js/matrix.js").toString());
  }

  /**
   * Runs a script of {@code src/test/js} with its modules in place.
   *
   * @return its output
   */
  static String node(String script, String... arguments) throws Exception {
    installRhea();
    List<String> all = new ArrayList<>(List.of("node", SCRIPTS.resolve("js/" + script).toString()));
    all.addAll(Arrays.asList(arguments));
    return run(new ProcessBuilder(all).redirectErrorStream(true));
  }

  private static void installRhea() throws Exception {
    Path home = SCRIPTS.resolve("js");
    if (!Files.isDirectory(home.resolve("node_modules/rhea"))
        || !Files.isDirectory(home.resolve("node_modules/ws"))) {
      run(
          new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
              .directory(home.toFile())
              .redirectErrorStream(true));
    }
  }

  private static String run(ProcessBuilder builder) throws Exception {
    Process process = start(builder);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s\n%s", builder.command(), output).isZero();
    return output;
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      String what = builder.command().get(0);
      throw new AssertionError("the profile interop needs " + what + ": " + e.getMessage(), e);
    }
  }

  /** The command that runs another script of the same folder. */
  List<String> beside(String script) {
    Path own = Path.of(command.get(command.size() - 1));
    return List.of(command.get(0), own.resolveSibling(script).toString());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void write(int port, String address, List<JsonNode> cases) throws Exception {
    script("write", port, address, CaseTable.FILE.toString());
  }

  @Override
  public List<JsonNode> read(int port, String address, int count) throws Exception {
    List<JsonNode> read = new ArrayList<>();
    for (String line : script("read", port, address, String.valueOf(count)).split("\n")) {
      read.add(new ObjectMapper().readTree(line));
    }
    return read;
  }

  private String script(String mode, int port, String address, String argument) throws Exception {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(mode, "127.0.0.1:" + port, address, argument));
    return run(new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT));
  }
}
