package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A running broker. */
final class Server implements AutoCloseable {

  private static final long START_LIMIT_NANOS = 120_000_000_000L;
  private static final int STOP_LIMIT_SECONDS = 60;
  private static final int POLL_MILLIS = 10;

  private final Process process;
  private final Contender contender;
  private final long readyMillis;

  private Server(Process process, Contender contender, long readyMillis) {
    this.process = process;
    this.contender = contender;
    this.readyMillis = readyMillis;
  }

  /** Starts the broker and waits until it answers. */
  static Server start(Contender contender, Path dir) throws IOException, InterruptedException {
    ProcessBuilder builder = contender.command(dir);
    builder.redirectErrorStream(true).redirectOutput(dir.resolve("server.log").toFile());
    long start = System.nanoTime();
    Process process = builder.start();
    // Whoever stops this program must not leave a broker behind.
    Thread hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    Object unused = process.onExit().thenRun(() -> forget(hook));
    while (!contender.greeting().returned()) {
      if (!process.isAlive() || System.nanoTime() - start > START_LIMIT_NANOS) {
        process.destroyForcibly();
        throw new IOException(contender.name() + " did not start, see " + dir + "/server.log");
      }
      Thread.sleep(POLL_MILLIS);
    }
    return new Server(process, contender, (System.nanoTime() - start) / 1_000_000);
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This program is ending, and the hook has done its work.
    }
  }

  /** Runs what has to be done once before the first start. */
  static void prepare(ProcessBuilder builder, Path log) throws IOException, InterruptedException {
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    if (builder.start().waitFor() != 0) {
      throw new IOException("failed: " + builder.command() + ", see " + log);
    }
  }

  /** From the command to the first answer. */
  long readyMillis() {
    return readyMillis;
  }

  ServerProcess usage() {
    return new ServerProcess(process.pid());
  }

  Generator generator() {
    return contender.generator(usage());
  }

  /** Asks it to stop and waits; what does not stop is killed. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
