package io.amphora.amqp.filter;

import io.amphora.core.delivery.StartPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;

/**
 * Which filters of a source are in force (docs/amqp.md section 2). Unknown ones are ignored and
 * left out of the echo; malformed ones refuse the link (conventions 3.6, 3.7). Pure.
 */
public final class SourceFilters {

  /** What it came to. */
  public sealed interface Result {}

  /**
   * The filters that are in force.
   *
   * @param start where to start, when a filter says so
   * @param echo those filters, under the client's keys and as it wrote them
   */
  public record InForce(Optional<StartPosition> start, Map<Symbol, Object> echo)
      implements Result {}

  /** A filter is not understood though it is of a known kind. */
  public record Malformed(String reason) implements Result {}

  private SourceFilters() {}

  /**
   * Reads a filter map.
   *
   * @param filters as decoded; keys should be symbols
   * @param nowMillis wall clock, for starts that are relative to it
   */
  public static Result read(Map<?, ?> filters, long nowMillis) {
    Optional<StartPosition> start = Optional.empty();
    Map<Symbol, Object> echo = new HashMap<>();
    for (Map.Entry<?, ?> entry : filters.entrySet()) {
      if (entry.getKey() == null || entry.getValue() == null) {
        continue;
      }
      StartFilter.Reading reading = reading(entry.getKey(), entry.getValue(), nowMillis);
      if (reading instanceof StartFilter.Wrong wrong) {
        return new Malformed("filter " + entry.getKey() + ": " + wrong.reason());
      } else if (reading instanceof StartFilter.At at) {
        if (start.isPresent()) {
          return new Malformed("more than one filter says where to start");
        }
        start = Optional.of(at.start());
        echo.put(Symbol.valueOf(entry.getKey().toString()), entry.getValue());
      }
    }
    return new InForce(start, Map.copyOf(echo));
  }

  private static StartFilter.Reading reading(Object key, Object value, long nowMillis) {
    Object bare = value instanceof DescribedType described ? described.getDescribed() : value;
    return FilterKind.of(key, value)
        .map(kind -> StartFilter.read(kind, bare, nowMillis))
        .orElseGet(StartFilter.Other::new);
  }
}
