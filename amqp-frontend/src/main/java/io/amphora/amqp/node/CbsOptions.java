package io.amphora.amqp.node;

import java.util.Map;
import java.util.Optional;

/**
 * Tokens that clients put to {@code $cbs}.
 *
 * @param enabled whether the node is there; empty leaves it to the listener
 * @param keys shared keys by name; without any, a listener that lets everybody in takes every
 *     token, as emulators do, and another one takes none
 */
public record CbsOptions(Optional<Boolean> enabled, Map<String, String> keys) {

  /** No {@code $cbs}. */
  public static final CbsOptions OFF = new CbsOptions(Optional.of(false), Map.of());

  /**
   * Whether the node is there on a listener.
   *
   * @param anonymous whether the listener lets everybody in
   */
  public boolean isOn(boolean anonymous) {
    return enabled.orElse(anonymous || !keys.isEmpty());
  }

  /** A key must not show up in a log. */
  @Override
  public String toString() {
    return "CbsOptions[enabled=" + enabled + ", keys=" + keys.keySet() + "]";
  }
}
