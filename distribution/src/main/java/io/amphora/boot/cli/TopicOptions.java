package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.config.Units;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Settings of a new topic; what is left open gets the broker's default. */
final class TopicOptions {

  private static final String UNLIMITED = "unlimited";
  private static final long NO_LIMIT = -1;
  private static final long MAX_PARTITIONS = 10_000;

  /** Options by the fields of the REST interface that they set. */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("partitions", "--partitions"),
          Map.entry("flush", "--flush"),
          Map.entry("partitioner", "--partitioner"),
          Map.entry("retentionMillis", "--retention-time"),
          Map.entry("retentionBytes", "--retention-bytes"),
          Map.entry("segmentBytes", "--segment-bytes"),
          Map.entry("segmentMillis", "--segment-time"),
          Map.entry("flushIntervalMillis", "--flush-interval"),
          Map.entry("maxMessageBytes", "--max-message-size"),
          Map.entry("maxAttempts", "--max-attempts"),
          Map.entry("compression", "--compression"),
          Map.entry("acks", "--acks"));

  @Option(names = "--partitions", paramLabel = "N", description = "Number of partitions.")
  private Optional<String> partitions = Optional.empty();

  @Option(
      names = "--retention-time",
      paramLabel = "DURATION",
      description = "How long messages are kept: 14d, unlimited.")
  private Optional<String> retentionTime = Optional.empty();

  @Option(
      names = "--retention-bytes",
      paramLabel = "SIZE",
      description = "How much each partition keeps: 10GiB, unlimited.")
  private Optional<String> retentionBytes = Optional.empty();

  @Option(names = "--segment-bytes", paramLabel = "SIZE", description = "Size of a segment file.")
  private Optional<String> segmentBytes = Optional.empty();

  @Option(names = "--segment-time", paramLabel = "DURATION", description = "Age of a segment file.")
  private Optional<String> segmentTime = Optional.empty();

  @Option(names = "--flush", paramLabel = "POLICY", description = "commit, interval or os.")
  private Optional<String> flush = Optional.empty();

  @Option(
      names = "--flush-interval",
      paramLabel = "DURATION",
      description = "Longest time to fsync under --flush interval.")
  private Optional<String> flushInterval = Optional.empty();

  @Option(names = "--partitioner", paramLabel = "KIND", description = "sticky or round-robin.")
  private Optional<String> partitioner = Optional.empty();

  @Option(
      names = "--max-message-size",
      paramLabel = "SIZE",
      description = "Largest message accepted.")
  private Optional<String> maxMessageSize = Optional.empty();

  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description = "Failed deliveries before a message is parked: 16, unlimited.")
  private Optional<String> maxAttempts = Optional.empty();

  @Option(names = "--compression", paramLabel = "KIND", description = "none, lz4 or zstd.")
  private Optional<String> compression = Optional.empty();

  @Option(
      names = "--acks",
      paramLabel = "ACKS",
      description = "When a message is answered if its sender does not say it: 0, 1 or all.")
  private Optional<String> acks = Optional.empty();

  /** The body of the request that creates the topic. */
  ObjectNode json() {
    ObjectNode body = Output.JSON.createObjectNode();
    partitions.ifPresent(
        n -> body.put("partitions", Given.whole("--partitions", n, 1, MAX_PARTITIONS)));
    retentionTime.ifPresent(
        text -> body.put("retentionMillis", limit("--retention-time", text, Given::millis)));
    retentionBytes.ifPresent(
        text -> body.put("retentionBytes", limit("--retention-bytes", text, TopicOptions::size)));
    segmentBytes.ifPresent(
        text -> body.put("segmentBytes", Given.bytes("--segment-bytes", text, 1L << 20)));
    segmentTime.ifPresent(text -> body.put("segmentMillis", Given.millis("--segment-time", text)));
    flush.ifPresent(policy -> body.put("flush", policy));
    flushInterval.ifPresent(
        text -> body.put("flushIntervalMillis", Given.millis("--flush-interval", text)));
    partitioner.ifPresent(kind -> body.put("partitioner", kind));
    maxMessageSize.ifPresent(text -> body.put("maxMessageBytes", size("--max-message-size", text)));
    maxAttempts.ifPresent(
        text -> body.put("maxAttempts", limit("--max-attempts", text, TopicOptions::attempts)));
    compression.ifPresent(kind -> body.put("compression", kind));
    acks.ifPresent(word -> body.put("acks", word));
    return body;
  }

  private interface Quantity {
    long of(String option, String text);
  }

  private static long limit(String option, String text, Quantity quantity) {
    return text.equals(UNLIMITED) || text.equals("-1") ? NO_LIMIT : quantity.of(option, text);
  }

  private static long size(String option, String text) {
    return Given.bytes(option, text, 1);
  }

  private static long attempts(String option, String text) {
    return Given.whole(option, text, 1, Integer.MAX_VALUE);
  }

  /**
   * A refusal of the broker in the words of the command line: it names fields of the REST
   * interface.
   */
  static CliFailure named(CliFailure refused) {
    String text = String.valueOf(refused.getMessage()).replaceAll(" \\(field \\w+\\)", "");
    for (Map.Entry<String, String> field : OPTIONS.entrySet()) {
      text = text.replaceAll("(?<![-\\w])" + field.getKey() + "(?![-\\w])", field.getValue());
    }
    return CliFailure.failed(text);
  }

  /** A setting as people read it, under the name of its option. */
  static String shown(String field, JsonNode value) {
    String text = value.asText();
    if (text.equals("-1")) {
      text = UNLIMITED;
    } else if (field.endsWith("Millis")) {
      text = Durations.text(value.asLong());
    } else if (field.endsWith("Bytes")) {
      text = Units.formatBytes(value.asLong());
    }
    return OPTIONS.getOrDefault(field, "--" + field).substring(2) + " = " + text;
  }
}
