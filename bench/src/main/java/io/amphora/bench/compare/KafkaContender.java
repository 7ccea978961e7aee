package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Apache Kafka, one KRaft node, forcing each append before it answers. */
record KafkaContender(Path libraries, String heap) implements Contender {

  private static final int PORT = 19092;
  private static final String CLUSTER = "YW1waG9yYS1iZW5jaC0wMQ";

  private static final String SETTINGS =
      """
      process.roles=broker,controller
      node.id=1
      controller.quorum.voters=1@127.0.0.1:19094
      listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:19094
      controller.listener.names=CONTROLLER
      log.dirs=%s
      log.flush.interval.messages=1
      num.partitions=1
      offsets.topic.num.partitions=1
      offsets.topic.replication.factor=1
      transaction.state.log.replication.factor=1
      transaction.state.log.min.isr=1
      share.coordinator.state.topic.replication.factor=1
      share.coordinator.state.topic.min.isr=1
      """;

  /** ApiVersions, version 0, without a client's name; Kafka's protocol guide, "Request header". */
  private static final byte[] API_VERSIONS = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1};

  private static final int LENGTH_AND_CORRELATION = 8;

  @Override
  public String name() {
    return "Kafka";
  }

  @Override
  public Greeting greeting() {
    return new Greeting(PORT, API_VERSIONS, LENGTH_AND_CORRELATION);
  }

  @Override
  public ProcessBuilder command(Path dir) throws IOException, InterruptedException {
    Path settings = dir.resolve("server.properties");
    if (!Files.exists(settings)) {
      Files.writeString(settings, SETTINGS.formatted(PORT, dir.resolve("data")));
      Server.prepare(
          java("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", settings.toString()),
          dir.resolve("format.log"));
    }
    return java("kafka.Kafka", settings.toString());
  }

  private ProcessBuilder java(String main, String... args) {
    ProcessBuilder builder =
        new ProcessBuilder(
            "java", "-Xms512m", "-Xmx" + heap, "-XX:+UseG1GC", "-cp", libraries + "/*", main);
    for (String arg : args) {
      builder.command().add(arg);
    }
    return builder;
  }

  @Override
  public Generator generator(ServerProcess usage) {
    return new KafkaGenerator("127.0.0.1:" + PORT, usage);
  }

  @Override
  public Optional<String> note() {
    return Optional.of(
        "Kafka: another protocol and its own Java client, which batches before it sends (32 MiB"
            + " under way instead of 1,000 messages) and commits its position every 100 ms instead"
            + " of accepting each message; log.flush.interval.messages=1, so that a batch is on"
            + " disk before it is answered. A reference for a log, not the same work.");
  }
}
