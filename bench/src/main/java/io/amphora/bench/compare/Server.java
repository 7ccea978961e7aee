package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A running broker. */
final class Server implements AutoCloseable {

  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final long START_LIMIT_NANOS = 120_000_000_000L;
  private static final int STOP_LIMIT_SECONDS = 60;
  private static final int POLL_MILLIS = 10;
  private static final int ANSWER_MILLIS = 2_000;

  private final Process process;
  private final long readyMillis;

  private Server(Process process, long readyMillis) {
    this.process = process;
    this.readyMillis = readyMillis;
  }

  /** Starts the broker and waits until its port answers an AMQP header. */
  static Server start(Contender contender, Path dir) throws IOException, InterruptedException {
    ProcessBuilder builder = contender.command(dir);
    builder.redirectErrorStream(true).redirectOutput(dir.resolve("server.log").toFile());
    long start = System.nanoTime();
    Process process = builder.start();
    while (!answers(contender.target())) {
      if (!process.isAlive() || System.nanoTime() - start > START_LIMIT_NANOS) {
        process.destroyForcibly();
        throw new IOException(contender.name() + " did not start, see " + dir);
      }
      Thread.sleep(POLL_MILLIS);
    }
    return new Server(process, (System.nanoTime() - start) / 1_000_000);
  }

  private static boolean answers(Target target) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(target.host(), target.port()));
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(SASL_HEADER);
      return socket.getInputStream().readNBytes(SASL_HEADER.length).length == SASL_HEADER.length;
    } catch (IOException e) {
      return false; // not yet
    }
  }

  /** From the command to the first answer. */
  long readyMillis() {
    return readyMillis;
  }

  ServerProcess usage() {
    return new ServerProcess(process.pid());
  }

  /** Asks it to stop and waits; what does not stop is killed. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
