package io.amphora.bench.wire;

import java.util.List;

/**
 * Where the load goes.
 *
 * @param capabilities terminus capabilities; Artemis stores nothing without {@code queue}
 */
public record Target(String host, int port, String address, List<String> capabilities) {

  /** The same broker, another address. */
  public Target at(String other) {
    return new Target(host, port, other, capabilities);
  }
}
