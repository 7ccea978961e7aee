package io.amphora.amqp.filter;

import io.amphora.core.delivery.StartPosition;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Event Hubs' expressions for a start, which come as selectors (conventions 5.3): {@code
 * amqp.annotation.x-opt-offset > '42'}. The value may be without quotes. Pure.
 */
final class PositionExpression {

  private static final String PREFIX = "amqp.annotation.";
  private static final Pattern FORM =
      Pattern.compile(
          "amqp\\.annotation\\.(x-opt-offset|x-opt-sequence-number|x-opt-enqueued-time)"
              + "\\s*(>=?)\\s*('([^']*)'|[^'\\s]+)");

  /** Digits that always fit a long. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private PositionExpression() {}

  /** True when the selector is meant to be such an expression. */
  static boolean isOne(String selector) {
    return selector.strip().startsWith(PREFIX);
  }

  static StartFilter.Reading read(String selector) {
    Matcher form = FORM.matcher(selector.strip());
    if (!form.matches()) {
      return new StartFilter.Wrong("is no expression like amqp.annotation.x-opt-offset > '1'");
    }
    String quoted = form.group(4);
    String value = quoted == null ? form.group(3) : quoted;
    if (value.equals("@latest")) {
      return new StartFilter.At(StartPosition.LATEST);
    }
    if (value.equals("-1")) {
      return new StartFilter.At(StartPosition.EARLIEST);
    }
    if (!NUMBER.matcher(value).matches()) {
      return new StartFilter.Wrong("has no value that is a decimal number, -1 or @latest");
    }
    long first = Long.parseLong(value) + (form.group(2).equals(">") ? 1 : 0);
    return new StartFilter.At(
        form.group(1).equals("x-opt-enqueued-time")
            ? new StartPosition.AtTime(first)
            : new StartPosition.AtOffset(first));
  }
}
