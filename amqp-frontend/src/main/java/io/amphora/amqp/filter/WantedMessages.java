package io.amphora.amqp.filter;

import io.amphora.core.filter.MemberFilter;
import io.amphora.plugin.DeliveryFilter;
import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the filters of one source that plugins serve, and has them compiled. */
final class WantedMessages {
  private static final Logger LOG = LoggerFactory.getLogger(WantedMessages.class);

  /** What came of it. */
  sealed interface Result {}

  /** They are in force. */
  record Ready(MemberFilter filter) implements Result {}

  /** One of them is malformed. */
  record Refused(String reason) implements Result {}

  private final String containerId;
  private final Map<DeliveryFilterFactory, Map<String, Object>> asked = new LinkedHashMap<>();
  private final TreeMap<String, String> text = new TreeMap<>();

  WantedMessages(String containerId) {
    this.containerId = containerId;
  }

  /**
   * Notes a filter.
   *
   * @return what is wrong with it, if anything is
   */
  Optional<String> add(FilterCatalog.Served served, Object value) {
    String name = served.descriptor().symbol();
    Object plain = ProtonValues.plain(value);
    if (plain == null) {
      return Optional.of("has no value");
    }
    Map<String, Object> all = asked.computeIfAbsent(served.factory(), f -> new LinkedHashMap<>());
    if (all.putIfAbsent(name, plain) != null) {
      return Optional.of("is there twice");
    }
    text.put(name, plain.toString());
    return Optional.empty();
  }

  Result compile() {
    if (asked.isEmpty()) {
      return new Ready(MemberFilter.ALL);
    }
    List<DeliveryFilter> filters = new ArrayList<>();
    for (Map.Entry<DeliveryFilterFactory, Map<String, Object>> each : asked.entrySet()) {
      FilterResult result = compile(each.getKey(), each.getValue());
      if (result instanceof FilterResult.Refused refused) {
        return new Refused("filter " + refused.reason());
      }
      FilterResult.Compiled compiled = (FilterResult.Compiled) result;
      filters.add(compiled.filter());
      if (compiled.perContainer()) {
        text.put("container", containerId);
      }
    }
    DeliveryFilter all = filters.size() == 1 ? filters.get(0) : allOf(filters);
    return new Ready(
        new MemberFilter(
            text.toString(),
            MemberFilter.Scope.MEMBER,
            candidate -> all.matches(new RecordView(candidate))));
  }

  private FilterResult compile(DeliveryFilterFactory factory, Map<String, Object> filters) {
    try {
      return factory.compile(new FilterRequest(filters, containerId));
    } catch (RuntimeException | StackOverflowError e) {
      LOG.warn("{} failed to compile {}", factory.getClass().getName(), filters.keySet(), e);
      return new FilterResult.Refused(
          filters.keySet() + " cannot be compiled: " + e.getClass().getSimpleName());
    }
  }

  private static DeliveryFilter allOf(List<DeliveryFilter> filters) {
    return message -> filters.stream().allMatch(filter -> filter.matches(message));
  }
}
