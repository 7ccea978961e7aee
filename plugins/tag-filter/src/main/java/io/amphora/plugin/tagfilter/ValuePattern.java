package io.amphora.plugin.tagfilter;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a value of a property must be like: equal, or a string that begins ({@code &p:}) or ends
 * ({@code &s:}) so; {@code &&} stands for an ampersand at the beginning. Null matches what is not
 * there. Pure.
 */
record ValuePattern(Kind kind, @Nullable Object value) {

  /** How it is compared. */
  enum Kind {
    EQUAL,
    PREFIX,
    SUFFIX
  }

  /** Empty for a value that cannot be compared. */
  static Optional<ValuePattern> of(@Nullable Object value) {
    if (value instanceof List<?> || value instanceof Map<?, ?>) {
      return Optional.empty();
    }
    if (!(value instanceof String text)) {
      return Optional.of(new ValuePattern(Kind.EQUAL, value));
    }
    if (text.startsWith("&p:")) {
      return Optional.of(new ValuePattern(Kind.PREFIX, text.substring(3)));
    } else if (text.startsWith("&s:")) {
      return Optional.of(new ValuePattern(Kind.SUFFIX, text.substring(3)));
    }
    return Optional.of(
        new ValuePattern(Kind.EQUAL, text.startsWith("&&") ? text.substring(1) : text));
  }

  boolean matches(@Nullable Object actual) {
    if (value == null || actual == null) {
      return value == actual;
    }
    return switch (kind) {
      case EQUAL -> isEqual(value, actual);
      case PREFIX -> actual instanceof String text && text.startsWith((String) value);
      case SUFFIX -> actual instanceof String text && text.endsWith((String) value);
    };
  }

  /** Numbers by value, whatever their types are. */
  private static boolean isEqual(Object wanted, Object actual) {
    if (wanted instanceof byte[] one && actual instanceof byte[] other) {
      return Arrays.equals(one, other);
    }
    if (wanted instanceof Long || wanted.getClass() == actual.getClass()) {
      return wanted.equals(actual) || (actual instanceof Double && sameNumber(wanted, actual));
    }
    return sameNumber(wanted, actual);
  }

  private static boolean sameNumber(Object one, Object other) {
    return one instanceof Number first
        && other instanceof Number second
        && first.doubleValue() == second.doubleValue();
  }
}
