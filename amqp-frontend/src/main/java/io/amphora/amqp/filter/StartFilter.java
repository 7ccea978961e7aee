package io.amphora.amqp.filter;

import io.amphora.core.delivery.StartPosition;
import java.time.Duration;
import java.util.Date;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** What a filter says of where to start. Pure. */
final class StartFilter {

  /** What was read. */
  sealed interface Reading {}

  /** A start. */
  record At(StartPosition start) implements Reading {}

  /** Something else. */
  record Other() implements Reading {}

  /** Something else, which a plugin serves. */
  record Noted() implements Reading {}

  /** Not understood. */
  record Wrong(String reason) implements Reading {}

  /** A day, and what RabbitMQ takes for a month and a year. */
  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "D", Duration.ofDays(1),
          "M", Duration.ofDays(30),
          "Y", Duration.ofDays(365));

  private static final Pattern INTERVAL = Pattern.compile("([0-9]{1,9})([smhDMY])");

  private StartFilter() {}

  static Reading read(FilterKind kind, @Nullable Object value, long nowMillis) {
    return switch (kind) {
      case STREAM_OFFSET -> streamOffset(value, nowMillis);
      case SELECTOR -> selector(value);
      case START -> ours(value);
    };
  }

  /** RabbitMQ counts its last chunk as last; here it is the last message. */
  private static Reading streamOffset(@Nullable Object value, long nowMillis) {
    if (!isText(value)) {
      return number(value);
    }
    String text = String.valueOf(value);
    return switch (text) {
      case "first" -> new At(StartPosition.EARLIEST);
      case "last" -> new At(StartPosition.LAST);
      case "next" -> new At(StartPosition.LATEST);
      default -> interval(text, nowMillis);
    };
  }

  private static Reading interval(String text, long nowMillis) {
    Matcher parts = INTERVAL.matcher(text);
    Duration unit = parts.matches() ? UNITS.get(parts.group(2)) : null;
    if (unit == null) {
      return new Wrong("is neither first, last, next nor an interval like 10m");
    }
    long back = unit.multipliedBy(Long.parseLong(parts.group(1))).toMillis();
    return new At(new StartPosition.AtTime(Math.max(0, nowMillis - back)));
  }

  private static Reading selector(@Nullable Object value) {
    if (!isText(value)) {
      return new Wrong("a selector is a string");
    }
    return PositionExpression.isOne(String.valueOf(value))
        ? PositionExpression.read(String.valueOf(value))
        : new Other();
  }

  private static Reading ours(@Nullable Object value) {
    if (!isText(value)) {
      return number(value);
    }
    return switch (String.valueOf(value)) {
      case "earliest" -> new At(StartPosition.EARLIEST);
      case "latest" -> new At(StartPosition.LATEST);
      default -> new Wrong("is neither earliest, latest, an offset nor a timestamp");
    };
  }

  private static Reading number(@Nullable Object value) {
    if (value instanceof Date date) {
      return new At(new StartPosition.AtTime(date.toInstant().toEpochMilli()));
    }
    if (!(value instanceof Number number) || value instanceof Double || value instanceof Float) {
      return new Wrong("is no offset and no timestamp");
    }
    return number.longValue() < 0
        ? new Wrong("an offset is not negative")
        : new At(new StartPosition.AtOffset(number.longValue()));
  }

  private static boolean isText(@Nullable Object value) {
    return value instanceof String || value instanceof Symbol;
  }
}
