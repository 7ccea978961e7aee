package io.amphora.boot.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real broker, or a command, in a process of its own: the same classes as this test's class path,
 * started as the launcher would. Used by one test thread; two threads of its own read its output.
 */
public final class BrokerProcess implements AutoCloseable {

  /** Generous: the machine may be busy with other builds. */
  private static final long LIMIT_SECONDS = 120;

  private static final Pattern READY =
      Pattern.compile("ready amqp=([^ ]*):(\\d+) http=([^ ]*):(\\d+).*");

  private static final List<String> JVM =
      List.of(
          "--add-modules",
          "java.se",
          "--add-exports",
          "java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens",
          "java.base/java.lang=ALL-UNNAMED",
          "--add-opens",
          "java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens",
          "java.management/sun.management=ALL-UNNAMED",
          "--add-opens",
          "jdk.management/com.sun.management.internal=ALL-UNNAMED",
          "-Dhazelcast.logging.type=slf4j",
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:+ExitOnOutOfMemoryError");

  private final Process process;
  private final ConcurrentLinkedQueue<String> out = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> err = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Matcher> ready = new CompletableFuture<>();
  private final Thread outReader;
  private final Thread errReader;

  private BrokerProcess(List<String> jvm, List<String> args, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.amphora.boot.Main"));
    command.addAll(args);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("AMPHORA_"));
    builder.environment().putAll(environment);
    process = builder.start();
    outReader = reader(process.getInputStream(), out, "stdout");
    errReader = reader(process.getErrorStream(), err, "stderr");
  }

  /**
   * Starts a broker on free ports and waits until it serves.
   *
   * @param args more arguments of {@code amphora start}
   */
  public static BrokerProcess serving(Path data, String... args) throws Exception {
    return ready(starting(data, args));
  }

  /**
   * The same with another heap.
   *
   * @param heap as for {@code -Xmx}
   */
  public static BrokerProcess servingWithHeap(String heap, Path data, String... args)
      throws Exception {
    List<String> jvm = new ArrayList<>(JVM);
    jvm.add("-Xmx" + heap);
    return ready(new BrokerProcess(jvm, arguments(data, args), Map.of()));
  }

  private static BrokerProcess ready(BrokerProcess broker) {
    try {
      broker.awaitReady();
      return broker;
    } catch (AssertionError e) {
      broker.close();
      throw e;
    }
  }

  /** Starts a broker on free ports without waiting. */
  public static BrokerProcess starting(Path data, String... args) throws IOException {
    return new BrokerProcess(JVM, arguments(data, args), Map.of());
  }

  private static List<String> arguments(Path data, String... args) {
    List<String> all = new ArrayList<>(List.of("start", "--data", data.toString()));
    for (String key : List.of("listeners.amqp", "listeners.http", "cluster.hazelcast")) {
      all.addAll(List.of("--set", key + ".port=0"));
    }
    all.addAll(List.of(args));
    return all;
  }

  /** Runs a command against this broker and waits for its end. */
  public BrokerProcess command(String... args) throws Exception {
    List<String> jvm = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    BrokerProcess command =
        new BrokerProcess(
            jvm,
            List.of(args),
            Map.of("AMPHORA_ADMIN_URL", httpUrl(), "AMPHORA_AMQP_URL", amqpUrl()));
    command.exitCode();
    return command;
  }

  public String amqpUrl() {
    return "amqp://127.0.0.1:" + amqpPort();
  }

  public String httpUrl() {
    return "http://127.0.0.1:" + httpPort();
  }

  public int amqpPort() {
    return Integer.parseInt(awaitReady().group(2));
  }

  public int httpPort() {
    return Integer.parseInt(awaitReady().group(4));
  }

  public long pid() {
    return process.pid();
  }

  /** All lines of standard output until now. */
  public List<String> out() {
    return List.copyOf(out);
  }

  /** All lines of standard error until now. */
  public List<String> err() {
    return List.copyOf(err);
  }

  /** Like {@code kill -9}; waits until the process is gone. */
  public void kill() throws Exception {
    process.destroyForcibly();
    exitCode();
  }

  /** Sends SIGTERM and waits. */
  public int terminate() throws Exception {
    process.destroy();
    return exitCode();
  }

  /** Waits for the end, with all output read. */
  public int exitCode() throws Exception {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      close();
      throw new AssertionError("still running after " + LIMIT_SECONDS + " s\n" + this);
    }
    outReader.join();
    errReader.join();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "--- stdout\n"
        + String.join("\n", out)
        + "\n--- stderr\n"
        + String.join("\n", err)
        + "\n---";
  }

  private Matcher awaitReady() {
    try {
      return ready.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the broker did not get ready\n" + this, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private Thread reader(InputStream stream, ConcurrentLinkedQueue<String> lines, String name) {
    Thread thread = new Thread(() -> read(stream, lines), name + " of " + process.pid());
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void read(InputStream stream, ConcurrentLinkedQueue<String> lines) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
        Matcher matcher = READY.matcher(line);
        if (lines == out && matcher.matches()) {
          ready.complete(matcher);
        }
      }
    } catch (IOException e) {
      lines.add("(reading failed: " + e + ")");
    }
    if (lines == out) {
      ready.completeExceptionally(new IllegalStateException("it ended"));
    }
  }
}
