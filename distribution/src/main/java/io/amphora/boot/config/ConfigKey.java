package io.amphora.boot.config;

import java.util.Locale;

/**
 * One setting: everything about it stands in one line of its room's table.
 *
 * @param name dotted name, as in the file and in {@code --set}
 * @param type unit and bounds
 * @param fallback value when nobody sets it, written as a person would
 * @param secret true when the value must never be shown
 * @param doc one sentence for the reference page
 */
public record ConfigKey<T>(
    String name, ValueType<T> type, String fallback, boolean secret, String doc) {

  static <T> ConfigKey<T> of(String name, ValueType<T> type, String fallback, String doc) {
    return new ConfigKey<>(name, type, fallback, false, doc);
  }

  static <T> ConfigKey<T> secret(String name, ValueType<T> type, String fallback, String doc) {
    return new ConfigKey<>(name, type, fallback, true, doc);
  }

  /** The environment variable that sets this key. */
  public String variable() {
    return "AMPHORA_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
