package io.amphora.boot.config;

import java.util.function.Function;

/**
 * Unit and bounds of a setting.
 *
 * @param allowed what may be written, for people
 * @param parser text to value; throws {@link IllegalArgumentException} for what is not allowed
 */
public record ValueType<T>(String allowed, Function<String, T> parser) {

  /**
   * @throws IllegalArgumentException when the text is not allowed
   */
  public T parse(String text) {
    return parser.apply(text.strip());
  }
}
