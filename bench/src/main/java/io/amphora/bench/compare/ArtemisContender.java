package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * ActiveMQ Artemis from its archive, as {@code artemis create} makes it: a durable message is
 * accepted after its journal was synced. Only the web console is taken away.
 *
 * @param journal {@code aio} (needs libaio) or {@code nio}
 */
record ArtemisContender(Path home, String journal, String heap) implements Contender {

  private static final int OFFSET = 20;
  private static final int PORT = 5672 + OFFSET;

  @Override
  public String name() {
    return "Artemis " + journal;
  }

  @Override
  public Greeting greeting() {
    return Greeting.amqp(PORT);
  }

  @Override
  public Generator generator(ServerProcess usage) {
    return new AmqpGenerator(new Target("127.0.0.1", PORT, "", List.of("queue")), usage);
  }

  @Override
  public boolean sized() {
    return true;
  }

  @Override
  public ProcessBuilder command(Path dir) throws IOException, InterruptedException {
    Path instance = dir.resolve("instance");
    if (!Files.exists(instance)) {
      create(instance);
    }
    ProcessBuilder builder = new ProcessBuilder(instance.resolve("bin/artemis").toString(), "run");
    builder.environment().put("JAVA_ARGS_APPEND", "-Xms512m -Xmx" + heap);
    return builder;
  }

  private void create(Path instance) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            home.resolve("bin/artemis").toString(),
            "create",
            instance.toString(),
            "--silent",
            "--user=admin",
            "--password=admin",
            "--allow-anonymous",
            "--no-hornetq-acceptor",
            "--no-mqtt-acceptor",
            "--no-stomp-acceptor",
            "--" + journal,
            "--port-offset=" + OFFSET);
    Server.prepare(builder, instance.resolveSibling("create.log"));
    Path bootstrap = instance.resolve("etc/bootstrap.xml");
    String text = Files.readString(bootstrap);
    Files.writeString(bootstrap, text.replaceAll("(?s)<web .*</web>", ""));
  }
}
