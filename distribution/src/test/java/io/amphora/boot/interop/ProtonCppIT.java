package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the checks of {@code src/test/cpp/interop.cpp}. */
@Tag("interop")
class ProtonCppIT {

  @Test
  void shouldServeProtonCpp(@TempDir Path dir) throws Exception {
    CppClient client = CppClient.compiled(dir);
    try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"));
        BrokerProcess strict =
            BrokerProcess.serving(dir.resolve("strict"), "--set", "topics.auto-create=off")) {
      String output =
          client.run("checks", "127.0.0.1:" + broker.amqpPort(), "127.0.0.1:" + strict.amqpPort());
      System.out.println(output);
      assertThat(output).contains("ok   drain_with_and_without_messages").contains(" 0 failed");
    }
  }
}
