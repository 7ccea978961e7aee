package io.amphora.boot.perf.wire;

import java.util.List;
import java.util.Optional;

/**
 * Where the load goes.
 *
 * @param capabilities terminus capabilities; Artemis stores nothing without {@code queue}
 * @param login empty for SASL ANONYMOUS
 */
public record Target(
    String host, int port, String address, List<String> capabilities, Optional<Login> login) {

  /** Without a user. */
  public Target(String host, int port, String address, List<String> capabilities) {
    this(host, port, address, capabilities, Optional.empty());
  }

  /** The same broker, another address. */
  public Target at(String other) {
    return new Target(host, port, other, capabilities, login);
  }
}
