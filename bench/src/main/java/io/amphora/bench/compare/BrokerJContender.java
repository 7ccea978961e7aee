package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Apache Qpid Broker-J from its archive, with its Berkeley DB store: a durable message is accepted
 * after its transaction was synced, which is the store's default. Queues are made when they are
 * first named. No web console.
 */
record BrokerJContender(Path home, String heap) implements Contender {

  private static final int PORT = 15692;

  private static final String CONFIG =
      """
      {
        "name": "bench",
        "modelVersion": "9.1",
        "authenticationproviders": [{"name": "anonymous", "type": "Anonymous"}],
        "ports": [{
          "name": "AMQP",
          "port": "%d",
          "bindingAddress": "127.0.0.1",
          "authenticationProvider": "anonymous",
          "protocols": ["AMQP_1_0"],
          "virtualhostaliases": [
            {"name": "any", "type": "patternMatchingAlias", "pattern": ".*", "virtualHostNode": "default"}
          ]
        }],
        "virtualhostnodes": [{
          "name": "default",
          "type": "JSON",
          "defaultVirtualHostNode": "true",
          "virtualHostInitialConfiguration": "{\\"type\\":\\"BDB\\",\\"nodeAutoCreationPolicies\\":\
      [{\\"pattern\\":\\".*\\",\\"createdOnPublish\\":\\"true\\",\\"createdOnConsume\\":\\"true\\",\
      \\"nodeType\\":\\"queue\\",\\"attributes\\":{}}]}"
        }]
      }
      """;

  @Override
  public String name() {
    return "Broker-J";
  }

  @Override
  public Greeting greeting() {
    return Greeting.session(PORT, "127.0.0.1");
  }

  @Override
  public ProcessBuilder command(Path dir) throws IOException {
    Path config = dir.resolve("initial-config.json");
    Files.writeString(config, CONFIG.formatted(PORT));
    Path work = Files.createDirectories(dir.resolve("work"));
    ProcessBuilder builder =
        new ProcessBuilder(
            "java",
            "-Xms512m",
            "-Xmx" + heap,
            "-XX:MaxDirectMemorySize=1536m",
            "-XX:+UseG1GC",
            "-Dqpid.work_dir=" + work,
            "-cp",
            home.resolve("lib") + "/*",
            "org.apache.qpid.server.Main",
            "-icp",
            config.toString());
    return builder.directory(work.toFile()); // for what Derby writes wherever it is
  }

  @Override
  public Generator generator(ServerProcess usage) {
    return new AmqpGenerator(new Target("127.0.0.1", PORT, "", List.of()), usage);
  }

  @Override
  public Optional<String> note() {
    return Optional.of("Broker-J: Berkeley DB store, each commit synced.");
  }
}
