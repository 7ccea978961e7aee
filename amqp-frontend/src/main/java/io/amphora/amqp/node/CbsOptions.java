package io.amphora.amqp.node;

import java.util.Map;

/**
 * Tokens that clients put to {@code $cbs}.
 *
 * @param enabled whether the node is there
 * @param keys shared keys by name; without any, a listener that lets everybody in takes every
 *     signature, as emulators do, and another one takes none
 */
public record CbsOptions(boolean enabled, Map<String, String> keys) {

  /** No {@code $cbs}. */
  public static final CbsOptions OFF = new CbsOptions(false, Map.of());

  /** A key must not show up in a log. */
  @Override
  public String toString() {
    return "CbsOptions[enabled=" + enabled + ", keys=" + keys.keySet() + "]";
  }
}
