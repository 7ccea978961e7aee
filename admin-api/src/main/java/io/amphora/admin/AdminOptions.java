package io.amphora.admin;

import java.util.Map;

/**
 * Settings of the HTTP listener.
 *
 * @param host address to listen on
 * @param port TCP port, 0 for a free one
 * @param version version of the broker, shown in status
 * @param config effective configuration to show, secrets already masked
 * @param topicDefaults settings of a topic that a request leaves open, by REST field name; plain
 *     numbers (bytes, milliseconds) or words
 * @param anonymous whether requests without a user may do everything; when off, HTTP Basic with a
 *     user of the topology is needed for everything but health
 */
public record AdminOptions(
    String host,
    int port,
    String version,
    Map<String, String> config,
    Map<String, String> topicDefaults,
    boolean anonymous) {}
