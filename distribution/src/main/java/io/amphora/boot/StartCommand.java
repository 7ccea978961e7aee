package io.amphora.boot;

import io.amphora.boot.cli.ConfigOptions;
import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code amphora start}: runs a broker in this process until it is told to stop. */
@Command(
    name = "start",
    description = {
      "Runs a broker until SIGTERM or Ctrl-C.",
      "Prints one line `ready amqp=HOST:PORT http=HOST:PORT` when it serves; logs go to stderr."
    },
    footer = {
      "",
      "Examples:",
      "  amphora start",
      "  amphora start --data /var/lib/amphora --set listeners.amqp.port=5673",
      "  amphora start --config /etc/amphora.yaml",
      "",
      "A second broker on one machine needs a directory and ports of its own:",
      "  amphora start --data data2 --set listeners.amqp.port=5682"
          + " --set listeners.http.port=8682 --set cluster.hazelcast.port=5711",
      "",
      "Exit codes: 0 stopped, 1 failed, 2 configuration or environment, 3 out of memory,",
      "70 fault (see the log)."
    })
final class StartCommand implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger(StartCommand.class);
  private static final long STOP_LIMIT_SECONDS = 30;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Override
  public Integer call() throws ConfigException, StartException, InterruptedException {
    Config config = options.load();
    Runtime runtime = Runtime.getRuntime();
    BrokerNode node = BrokerNode.start(config, new StopOnFault(runtime::halt));
    runtime.addShutdownHook(new Thread(() -> runtime.halt(stop(node)), "shutdown"));
    System.out.println(node.readyLine());
    System.out.flush();
    new CountDownLatch(1).await();
    return 0;
  }

  /** Stops within a limit: a signal has to end the process also when something hangs. */
  private static int stop(BrokerNode node) {
    log.info("stopping");
    CountDownLatch stopped = new CountDownLatch(1);
    boolean[] clean = new boolean[1];
    Thread stopper =
        new Thread(
            () -> {
              clean[0] = node.stop();
              stopped.countDown();
            },
            "stop");
    stopper.setDaemon(true);
    stopper.start();
    try {
      if (!stopped.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        log.error("not stopped after {} s, ending anyway", STOP_LIMIT_SECONDS);
        return StartException.FAILED;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return StartException.FAILED;
    }
    log.info("stopped");
    return clean[0] ? 0 : StartException.FAILED;
  }
}
