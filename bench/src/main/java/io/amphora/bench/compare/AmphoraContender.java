package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Amphora from an unpacked archive; forced before accepted is its default.
 *
 * @param settings more of them, {@code key=value}
 */
record AmphoraContender(String name, Path home, String heap, List<String> settings)
    implements Contender {

  private static final int PORT = 15672;

  @Override
  public Greeting greeting() {
    return Greeting.amqp(PORT);
  }

  @Override
  public ProcessBuilder command(Path dir) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/amphora").toString());
    command.addAll(List.of("start", "--data", dir.resolve("data").toString()));
    List<String> all = new ArrayList<>(settings);
    all.add("listeners.amqp.port=" + PORT);
    all.add("listeners.http.port=0");
    all.add("cluster.hazelcast.port=0");
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("AMPHORA_JAVA_OPTS", "-Xms512m -Xmx" + heap);
    return builder;
  }

  @Override
  public Generator generator(ServerProcess usage) {
    return new AmqpGenerator(new Target("127.0.0.1", PORT, "", List.of()), usage);
  }

  @Override
  public boolean sized() {
    return true;
  }
}
