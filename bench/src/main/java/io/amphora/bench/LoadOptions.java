package io.amphora.bench;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Load;
import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Target;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that every workload has. */
final class LoadOptions {

  @Option(names = "--host", description = "Broker host.", defaultValue = "127.0.0.1")
  private String host = "127.0.0.1";

  @Option(names = "--port", description = "AMQP port.", defaultValue = "5672")
  private int port = 5672;

  @Option(names = "--address", description = "Queue or topic.", defaultValue = "bench")
  private String address = "bench";

  @Option(names = "--capability", description = "Terminus capability (Artemis: queue).")
  private List<String> capabilities = new ArrayList<>();

  @Option(names = "--size", description = "Bytes of a body.", defaultValue = "1024")
  private int size = 1024;

  @Option(names = "--connections", description = "Connections each way.", defaultValue = "1")
  private int connections = 1;

  @Option(
      names = "--window",
      description = "Messages under way on a connection.",
      defaultValue = "1000")
  private int window = 1000;

  @Option(names = "--server-pid", description = "Process whose CPU counts.", defaultValue = "0")
  private long serverPid;

  @Option(names = "--warmup", description = "Seconds before counting.", defaultValue = "5")
  private int warmup = 5;

  @Option(names = "--seconds", description = "Seconds that count.", defaultValue = "10")
  private int seconds = 10;

  Load load() {
    Target target = new Target(host, port, address, capabilities);
    return new Load(target, connections, size, window);
  }

  int connections() {
    return connections;
  }

  ServerProcess server() {
    return new ServerProcess(serverPid);
  }

  Amount amount() {
    return Amount.seconds(warmup, seconds);
  }
}
