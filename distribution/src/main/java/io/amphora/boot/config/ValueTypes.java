package io.amphora.boot.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kinds of values that settings have. Sizes are bytes, durations milliseconds. */
final class ValueTypes {

  /** How "no limit" is written; it becomes {@link Long#MAX_VALUE}. */
  static final String UNLIMITED = "unlimited";

  /** How "work it out yourself" is written. */
  static final String AUTO = "auto";

  static final ValueType<Integer> PORT = integer(0, 65_535, "a TCP port, 0 for a free one");

  static final ValueType<String> HOST =
      matching("[A-Za-z0-9][A-Za-z0-9.-]*|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+", "a host name or address");

  /** What YAML users write for a switch is understood as well. */
  static final ValueType<Choice> SWITCH =
      new ValueType<>(
          "on, off or auto",
          text ->
              switch (text) {
                case "on", "true" -> Choice.ON;
                case "off", "false" -> Choice.OFF;
                case AUTO -> Choice.AUTO;
                default -> throw new IllegalArgumentException(text);
              });

  private ValueTypes() {}

  static ValueType<String> text(String allowed) {
    return new ValueType<>(allowed, Function.identity());
  }

  static ValueType<String> matching(String regex, String allowed) {
    Pattern pattern = Pattern.compile(regex);
    return new ValueType<>(
        allowed,
        text -> {
          require(pattern.matcher(text).matches());
          return text;
        });
  }

  static ValueType<Integer> integer(int min, int max) {
    return integer(min, max, "a whole number from " + min + " to " + max);
  }

  private static ValueType<Integer> integer(int min, int max, String allowed) {
    return new ValueType<>(
        allowed, text -> Math.toIntExact(bounded(Long.parseLong(text), min, max)));
  }

  /** Whole numbers of at least {@code min}, or {@code unlimited}, which becomes -1. */
  static ValueType<Integer> countOrUnlimited(int min) {
    return new ValueType<>(
        "a whole number of at least " + min + ", or " + UNLIMITED,
        text ->
            text.equals(UNLIMITED)
                ? -1
                : Math.toIntExact(bounded(Long.parseLong(text), min, Integer.MAX_VALUE)));
  }

  static ValueType<Long> bytes(String min, String max) {
    long low = Units.bytes(min);
    long high = Units.bytes(max);
    return new ValueType<>(
        "a size from " + min + " to " + max, text -> bounded(Units.bytes(text), low, high));
  }

  /** A size, or {@code unlimited}. */
  static ValueType<Long> bytesOrUnlimited(String min) {
    long low = Units.bytes(min);
    return new ValueType<>(
        "a size of at least " + min + ", or " + UNLIMITED,
        text ->
            text.equals(UNLIMITED)
                ? Long.MAX_VALUE
                : bounded(Units.bytes(text), low, Long.MAX_VALUE));
  }

  /** A size, or {@code auto}, which is empty. */
  static ValueType<OptionalLong> bytesOrAuto(String min) {
    long low = Units.bytes(min);
    return new ValueType<>(
        "a size of at least " + min + ", or " + AUTO,
        text ->
            text.equals(AUTO)
                ? OptionalLong.empty()
                : OptionalLong.of(bounded(Units.bytes(text), low, Long.MAX_VALUE)));
  }

  /** A size within bounds, or {@code auto}, which is empty. */
  static ValueType<OptionalLong> bytesOrAuto(String min, String max) {
    long low = Units.bytes(min);
    long high = Units.bytes(max);
    return new ValueType<>(
        "a size from " + min + " to " + max + ", or " + AUTO,
        text ->
            text.equals(AUTO)
                ? OptionalLong.empty()
                : OptionalLong.of(bounded(Units.bytes(text), low, high)));
  }

  static ValueType<Long> duration(String min, String max) {
    long low = Units.millis(min);
    long high = Units.millis(max);
    return new ValueType<>(
        "a duration from " + min + " to " + max, text -> bounded(Units.millis(text), low, high));
  }

  /** A duration, or {@code unlimited}. */
  static ValueType<Long> durationOrUnlimited(String min) {
    long low = Units.millis(min);
    return new ValueType<>(
        "a duration of at least " + min + ", or " + UNLIMITED,
        text ->
            text.equals(UNLIMITED)
                ? Long.MAX_VALUE
                : bounded(Units.millis(text), low, Long.MAX_VALUE));
  }

  /** One of the constants, written in lower case with dashes. */
  static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
    String allowed =
        Arrays.stream(type.getEnumConstants())
            .map(ValueTypes::written)
            .collect(Collectors.joining(", ", "one of ", ""));
    return new ValueType<>(
        allowed,
        text ->
            Arrays.stream(type.getEnumConstants())
                .filter(constant -> written(constant).equals(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new));
  }

  /** Items separated by commas, none when empty. */
  static ValueType<List<String>> list(String itemRegex, String allowed) {
    Pattern item = Pattern.compile(itemRegex);
    return new ValueType<>(
        allowed,
        text -> {
          List<String> items =
              Arrays.stream(text.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
          require(items.stream().allMatch(s -> item.matcher(s).matches()));
          return items;
        });
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static long bounded(long value, long min, long max) {
    require(value >= min && value <= max);
    return value;
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException();
    }
  }
}
