package io.amphora.boot.chaos;

import java.util.Random;
import org.apache.qpid.protonj2.client.Connection;

/** A link that works until the broker is killed, in a thread of its own. */
interface ChaosLink {

  /** For messages of the test. */
  String name();

  /**
   * Attaches and works. Ends with the exception that its broken connection makes.
   *
   * @param connection shared with other links
   * @param port of the broker, for who wants a connection of its own
   * @param random for this thread only
   */
  void run(Connection connection, int port, Random random) throws Exception;
}
