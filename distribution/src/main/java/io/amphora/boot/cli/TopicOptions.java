package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.config.Units;
import java.util.Optional;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Option;

/** Settings of a new topic; what is left open gets the broker's default. */
final class TopicOptions {

  private static final String UNLIMITED = "unlimited";
  private static final long NO_LIMIT = -1;

  @Option(names = "--partitions", paramLabel = "N", description = "Number of partitions.")
  private Optional<Integer> partitions = Optional.empty();

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
      description = "Failed deliveries before a message is parked; -1: no limit.")
  private Optional<Integer> maxAttempts = Optional.empty();

  /** The body of the request that creates the topic. */
  ObjectNode json() {
    ObjectNode body = Output.JSON.createObjectNode();
    partitions.ifPresent(n -> body.put("partitions", n));
    quantity(body, "retentionMillis", retentionTime, Units::millis);
    quantity(body, "retentionBytes", retentionBytes, Units::bytes);
    quantity(body, "segmentBytes", segmentBytes, Units::bytes);
    quantity(body, "segmentMillis", segmentTime, Units::millis);
    flush.ifPresent(policy -> body.put("flush", policy));
    quantity(body, "flushIntervalMillis", flushInterval, Units::millis);
    partitioner.ifPresent(kind -> body.put("partitioner", kind));
    quantity(body, "maxMessageBytes", maxMessageSize, Units::bytes);
    maxAttempts.ifPresent(n -> body.put("maxAttempts", n));
    return body;
  }

  private static void quantity(
      ObjectNode body, String field, Optional<String> text, ToLongFunction<String> unit) {
    if (text.isEmpty()) {
      return;
    }
    try {
      boolean unlimited = text.get().equals(UNLIMITED);
      body.put(field, unlimited ? NO_LIMIT : unit.applyAsLong(text.get()));
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(
          field + ": " + text.get() + " is not understood; write 64MiB, 10s, 14d or unlimited");
    }
  }
}
