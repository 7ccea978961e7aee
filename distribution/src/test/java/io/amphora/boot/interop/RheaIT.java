package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the checks of {@code src/test/js/interop.js} with rhea. Fails, not skips, where Node.js or
 * npm are not installed.
 */
@Tag("interop")
class RheaIT {

  @Test
  void shouldServeRhea(@TempDir Path dir) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"));
        BrokerProcess strict =
            BrokerProcess.serving(dir.resolve("strict"), "--set", "topics.auto-create=off")) {
      String output =
          ScriptClient.node(
              "interop.js", "127.0.0.1:" + broker.amqpPort(), "127.0.0.1:" + strict.amqpPort());
      System.out.println(output);
      assertThat(output).contains("ok   replay").contains(" 0 failed");
    }
  }
}
