package io.amphora.bench.compare;

import io.amphora.boot.perf.wire.Target;
import java.nio.file.Path;
import java.util.List;

/** Amphora from an unpacked archive; forced before accepted is its default. */
record AmphoraContender(Path home, String heap) implements Contender {

  private static final int PORT = 15672;

  @Override
  public String name() {
    return "Amphora";
  }

  @Override
  public Target target() {
    return new Target("127.0.0.1", PORT, "", List.of());
  }

  @Override
  public ProcessBuilder command(Path dir) {
    ProcessBuilder builder =
        new ProcessBuilder(
            home.resolve("bin/amphora").toString(),
            "start",
            "--data",
            dir.resolve("data").toString(),
            "--set",
            "listeners.amqp.port=" + PORT,
            "--set",
            "listeners.http.port=0",
            "--set",
            "cluster.hazelcast.port=0");
    builder.environment().put("AMPHORA_JAVA_OPTS", "-Xms512m -Xmx" + heap);
    return builder;
  }
}
