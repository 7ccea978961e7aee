package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the checks of {@code src/test/python/interop.py} with Debian's Proton Python (package
 * python3-qpid-proton). Fails, not skips, where that is not installed.
 */
@Tag("interop")
class ProtonPythonIT {

  private static final String PYTHON = "/usr/bin/python3";

  @Test
  void shouldServeProtonPython(@TempDir Path dir) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"));
        BrokerProcess strict =
            BrokerProcess.serving(dir.resolve("strict"), "--set", "topics.auto-create=false")) {
      Process python =
          new ProcessBuilder(
                  PYTHON,
                  Path.of("src/test/python/interop.py").toAbsolutePath().toString(),
                  "127.0.0.1:" + broker.amqpPort(),
                  "127.0.0.1:" + strict.amqpPort())
              .redirectErrorStream(true)
              .start();
      String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      System.out.println(output);
      assertThat(python.waitFor()).as(output).isZero();
      assertThat(output).contains("drain_with_and_without_messages");
    }
  }
}
