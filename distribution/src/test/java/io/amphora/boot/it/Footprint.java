package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * What a broker's process holds, as its metrics say, right after a garbage collection.
 *
 * @param heapBytes what is alive in the heap
 * @param threads live threads
 * @param connections AMQP connections
 * @param links AMQP links
 * @param heldBytes what is held for clients: unfinished messages, deliveries they do not read
 */
record Footprint(long heapBytes, long threads, long connections, long links, long heldBytes) {

  /** What a loop of ten thousand steps must not leave behind: 200 bytes for each. */
  private static final long SLACK_BYTES = 2_000_000;

  /** Threads that come and go with work: pools of the JDK and of Hazelcast. */
  private static final long SLACK_THREADS = 8;

  private static final int TRIES = 300;

  static Footprint of(BrokerProcess broker) throws Exception {
    collect(broker);
    String text = metrics(broker);
    return new Footprint(
        value(text, "jvm_memory_heap_used"),
        value(text, "jvm_threads"),
        value(text, "amqp_connections"),
        value(text, "amqp_links"),
        value(text, "amqp_memory_held"));
  }

  /** Waits until all is as it was, or nearly: after a loop, a flood, a crowd. */
  static void assertBackAt(Footprint before, BrokerProcess broker) throws Exception {
    Footprint now = of(broker);
    for (int i = 0; i < TRIES && !now.isLike(before); i++) {
      TimeUnit.MILLISECONDS.sleep(100);
      now = of(broker);
    }
    assertThat(now.isLike(before)).as("now %s, before %s", now, before).isTrue();
  }

  private boolean isLike(Footprint before) {
    return heapBytes - before.heapBytes < SLACK_BYTES
        && threads - before.threads <= SLACK_THREADS
        && connections == before.connections
        && links == before.links
        && heldBytes <= before.heldBytes;
  }

  private static void collect(BrokerProcess broker) throws Exception {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(broker.pid()),
                "GC.run")
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jcmd.waitFor()).as("jcmd, of the JDK: %s", said).isZero();
  }

  private static String metrics(BrokerProcess broker) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(broker.httpUrl() + "/metrics")).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static long value(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .findFirst()
        .map(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .orElseThrow(() -> new AssertionError("no " + name + " in\n" + metrics));
  }
}
