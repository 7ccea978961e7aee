package io.amphora.amqp.filter;

import io.amphora.core.delivery.StartPosition;
import io.amphora.core.filter.MemberFilter;
import io.amphora.plugin.DeliveryFilterFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;

/**
 * Which filters of a source are in force (docs/amqp.md section 2): those that say where to start,
 * and those that plugins serve. Unknown ones are ignored and left out of the echo; malformed ones
 * refuse the link (conventions 3.6, 3.7). Immutable; used by all loops.
 */
public final class SourceFilters {

  /** What it came to. */
  public sealed interface Result {}

  /**
   * The filters that are in force.
   *
   * @param start where to start, when a filter says so
   * @param wanted which messages it wants
   * @param echo those filters, under the client's keys and as it wrote them
   */
  public record InForce(
      Optional<StartPosition> start, MemberFilter wanted, Map<Symbol, Object> echo)
      implements Result {}

  /** A filter is not understood though it is of a known kind. */
  public record Malformed(String reason) implements Result {}

  /** Without plugins. */
  public static final SourceFilters NONE = new SourceFilters(List.of());

  private final FilterCatalog catalog;

  /**
   * @param factories of plugins; the first that serves a filter gets it
   */
  public SourceFilters(List<DeliveryFilterFactory> factories) {
    this.catalog = new FilterCatalog(factories);
  }

  /**
   * Reads a filter map.
   *
   * @param filters as decoded; keys should be symbols
   * @param containerId of the connection
   * @param nowMillis wall clock, for starts that are relative to it
   */
  public Result read(Map<?, ?> filters, String containerId, long nowMillis) {
    Optional<StartPosition> start = Optional.empty();
    WantedMessages wanted = new WantedMessages(containerId);
    Map<Symbol, Object> echo = new HashMap<>();
    for (Map.Entry<?, ?> entry : filters.entrySet()) {
      if (entry.getKey() == null || entry.getValue() == null) {
        continue;
      }
      StartFilter.Reading reading = reading(entry.getKey(), entry.getValue(), nowMillis);
      if (reading instanceof StartFilter.Other) {
        reading = want(wanted, entry.getKey(), entry.getValue());
      }
      if (reading instanceof StartFilter.Wrong wrong) {
        return new Malformed("filter " + entry.getKey() + ": " + wrong.reason());
      } else if (reading instanceof StartFilter.At at) {
        if (start.isPresent()) {
          return new Malformed("more than one filter says where to start");
        }
        start = Optional.of(at.start());
      }
      if (!(reading instanceof StartFilter.Other)) {
        echo.put(Symbol.valueOf(entry.getKey().toString()), entry.getValue());
      }
    }
    WantedMessages.Result compiled = wanted.compile();
    return compiled instanceof WantedMessages.Ready ready
        ? new InForce(start, ready.filter(), Map.copyOf(echo))
        : new Malformed(((WantedMessages.Refused) compiled).reason());
  }

  private StartFilter.Reading want(WantedMessages wanted, Object key, Object value) {
    Optional<FilterCatalog.Served> served = catalog.find(key, value);
    if (served.isEmpty()) {
      return new StartFilter.Other();
    }
    return wanted
        .add(served.get(), value)
        .<StartFilter.Reading>map(StartFilter.Wrong::new)
        .orElseGet(StartFilter.Noted::new);
  }

  private static StartFilter.Reading reading(Object key, Object value, long nowMillis) {
    Object bare = value instanceof DescribedType described ? described.getDescribed() : value;
    return FilterKind.of(key, value)
        .map(kind -> StartFilter.read(kind, bare, nowMillis))
        .orElseGet(StartFilter.Other::new);
  }
}
