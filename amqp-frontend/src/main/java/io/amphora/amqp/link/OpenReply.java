package io.amphora.amqp.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.engine.Connection;

/** Answers Open (conventions 2.2): only capabilities that hold are offered. */
final class OpenReply {

  /** RabbitMQ's Java client refuses to go on below 4.0 (conventions 6.1). */
  private static final String COMPATIBLE_VERSION = "4.3.0";

  private static final Symbol ESTABLISHMENT_FAILED =
      Symbol.valueOf("amqp:connection-establishment-failed");

  private static final List<Symbol> OFFERED =
      List.of(
          Symbol.valueOf("ANONYMOUS-RELAY"),
          Symbol.valueOf("SHARED-SUBS"),
          Symbol.valueOf("sole-connection-for-container"));

  private OpenReply() {}

  static void open(Connection connection, String brokerId) {
    open(connection, properties(brokerId));
  }

  /** Answers an Open whose Close follows: clients wait for that (conventions 2.5). */
  static void openToClose(Connection connection, String brokerId) {
    Map<Symbol, Object> properties = properties(brokerId);
    properties.put(ESTABLISHMENT_FAILED, true);
    open(connection, properties);
  }

  private static void open(Connection connection, Map<Symbol, Object> properties) {
    connection.setOfferedCapabilities(OFFERED.toArray(new Symbol[0]));
    connection.setProperties(properties);
    connection.open();
  }

  private static Map<Symbol, Object> properties(String brokerId) {
    String version = OpenReply.class.getPackage().getImplementationVersion();
    Map<Symbol, Object> properties = new LinkedHashMap<>();
    properties.put(Symbol.valueOf("product"), "Amphora");
    properties.put(Symbol.valueOf("version"), COMPATIBLE_VERSION);
    properties.put(Symbol.valueOf("amphora-version"), version == null ? "development" : version);
    properties.put(Symbol.valueOf("platform"), "Java " + Runtime.version().feature());
    properties.put(Symbol.valueOf("node"), brokerId);
    return properties;
  }
}
