package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The program of {@code src/test/cpp} on Debian's Proton C++ (packages libqpid-proton-cpp12-dev and
 * g++). Fails, not skips, where they are not installed.
 */
final class CppClient {

  private static final Path SOURCE = Path.of("src/test/cpp/interop.cpp").toAbsolutePath();

  private final Path program;

  private CppClient(Path program) {
    this.program = program;
  }

  /**
   * Compiles it.
   *
   * @param dir where the program is put
   */
  static CppClient compiled(Path dir) throws Exception {
    Path program = dir.resolve("interop");
    String output =
        run(
            new ProcessBuilder(
                "g++",
                "-std=c++17",
                "-O1",
                "-Wall",
                "-o",
                program.toString(),
                SOURCE.toString(),
                "-lqpid-proton-cpp"));
    assertThat(program).as(output).isExecutable();
    return new CppClient(program);
  }

  /** The command without arguments. */
  List<String> command() {
    return List.of(program.toString());
  }

  /** Runs it; its output when it ends without an error. */
  String run(String... arguments) throws Exception {
    List<String> all = new java.util.ArrayList<>(command());
    all.addAll(List.of(arguments));
    return run(new ProcessBuilder(all));
  }

  private static String run(ProcessBuilder builder) throws Exception {
    Process process;
    try {
      process = builder.redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new AssertionError("the profile interop needs " + builder.command().get(0), e);
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s\n%s", builder.command(), output).isZero();
    return output;
  }
}
