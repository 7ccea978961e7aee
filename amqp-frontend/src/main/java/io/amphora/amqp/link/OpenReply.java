package io.amphora.amqp.link;

import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.engine.Connection;

/** Answers Open (conventions 2.2): only capabilities that hold are offered. */
final class OpenReply {

  /** RabbitMQ's Java client refuses to go on below 4.0 (conventions 6.1). */
  private static final String COMPATIBLE_VERSION = "4.3.0";

  private OpenReply() {}

  static void open(Connection connection, String brokerId) {
    String version = OpenReply.class.getPackage().getImplementationVersion();
    connection.setOfferedCapabilities(
        new Symbol[] {Symbol.valueOf("ANONYMOUS-RELAY"), Symbol.valueOf("LINK_PAIR_V1_0")});
    connection.setProperties(
        Map.of(
            Symbol.valueOf("product"),
            "Amphora",
            Symbol.valueOf("version"),
            COMPATIBLE_VERSION,
            Symbol.valueOf("amphora-version"),
            version == null ? "development" : version,
            Symbol.valueOf("platform"),
            "Java " + Runtime.version().feature(),
            Symbol.valueOf("node"),
            brokerId));
    connection.open();
  }
}
