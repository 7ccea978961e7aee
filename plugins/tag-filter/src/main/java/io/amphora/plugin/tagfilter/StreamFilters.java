package io.amphora.plugin.tagfilter;

import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ's filter of streams: messages whose annotation {@code x-stream-filter-value} is one of
 * some strings. Exact here; RabbitMQ's own lets through some that do not match.
 */
public final class StreamFilters implements DeliveryFilterFactory {

  private static final String FILTER = "rabbitmq:stream-filter";
  private static final String UNFILTERED = "rabbitmq:stream-match-unfiltered";
  private static final String ANNOTATION = "x-stream-filter-value";

  /** Values of one filter at most. */
  static final int MOST = 256;

  @Override
  public Set<FilterDescriptor> serves() {
    return Set.of(FilterDescriptor.of(FILTER), FilterDescriptor.of(UNFILTERED));
  }

  @Override
  public FilterResult compile(FilterRequest request) {
    Object unfiltered = request.filters().getOrDefault(UNFILTERED, false);
    if (!(unfiltered instanceof Boolean others)) {
      return new FilterResult.Refused(UNFILTERED + " is not a boolean");
    }
    Object filter = request.filters().get(FILTER);
    if (filter == null) {
      return new FilterResult.Compiled(message -> true);
    }
    Optional<Set<String>> values = strings(filter);
    if (values.isEmpty()) {
      return new FilterResult.Refused(
          FILTER + " is neither a string nor a list of 1 to " + MOST + " strings");
    }
    Set<String> wanted = values.get();
    return new FilterResult.Compiled(
        message -> matches(wanted, others, message.annotation(ANNOTATION)));
  }

  private static boolean matches(Set<String> wanted, boolean others, @Nullable Object value) {
    return value == null ? others : value instanceof String text && wanted.contains(text);
  }

  private static Optional<Set<String>> strings(Object value) {
    List<?> all = value instanceof List<?> list ? list : List.of(value);
    Set<String> strings = new HashSet<>();
    for (Object each : all) {
      if (!(each instanceof String text)) {
        return Optional.empty();
      }
      strings.add(text);
    }
    return strings.isEmpty() || strings.size() > MOST ? Optional.empty() : Optional.of(strings);
  }
}
