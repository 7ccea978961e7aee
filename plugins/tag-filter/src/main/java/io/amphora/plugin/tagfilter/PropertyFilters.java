package io.amphora.plugin.tagfilter;

import io.amphora.plugin.DeliveryFilter;
import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import io.amphora.plugin.MessageProperty;
import io.amphora.plugin.MessageView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * AMQP property filters (filter expressions, section 4.2): a map of names to values, all of which
 * must match.
 */
public final class PropertyFilters implements DeliveryFilterFactory {

  /** Entries of one map at most. */
  static final int MOST = 256;

  private static final FilterDescriptor PROPERTIES =
      FilterDescriptor.of("amqp:properties-filter", 0x173);

  private static final FilterDescriptor APPLICATION_PROPERTIES =
      FilterDescriptor.of("amqp:application-properties-filter", 0x174);

  private record Condition(Function<MessageView, @Nullable Object> field, ValuePattern pattern) {
    boolean holds(MessageView message) {
      return pattern.matches(field.apply(message));
    }
  }

  @Override
  public Set<FilterDescriptor> serves() {
    return Set.of(PROPERTIES, APPLICATION_PROPERTIES);
  }

  @Override
  public FilterResult compile(FilterRequest request) {
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, Object> each : request.filters().entrySet()) {
      if (!(each.getValue() instanceof Map<?, ?> map)) {
        return new FilterResult.Refused(each.getKey() + " is not a map");
      }
      if (map.isEmpty() || map.size() > MOST) {
        return new FilterResult.Refused(each.getKey() + " has not 1 to " + MOST + " entries");
      }
      boolean fixed = each.getKey().equals(PROPERTIES.symbol());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        Optional<String> problem = add(conditions, fixed, entry);
        if (problem.isPresent()) {
          return new FilterResult.Refused(each.getKey() + ": " + problem.get());
        }
      }
    }
    DeliveryFilter all =
        message -> conditions.stream().allMatch(condition -> condition.holds(message));
    return new FilterResult.Compiled(all);
  }

  private static Optional<String> add(
      List<Condition> conditions, boolean fixed, Map.Entry<?, ?> entry) {
    if (!(entry.getKey() instanceof String name)) {
      return Optional.of("the name " + entry.getKey() + " is not a string");
    }
    Optional<ValuePattern> pattern = ValuePattern.of(entry.getValue());
    if (pattern.isEmpty()) {
      return Optional.of("the value of " + name + " is a list or a map");
    }
    if (!fixed) {
      conditions.add(new Condition(m -> m.applicationProperty(name), pattern.get()));
      return Optional.empty();
    }
    Optional<MessageProperty> known =
        Arrays.stream(MessageProperty.values())
            .filter(property -> property.amqpName().equals(name))
            .findFirst();
    known.ifPresent(
        property -> conditions.add(new Condition(m -> m.property(property), pattern.get())));
    return known.isPresent() ? Optional.empty() : Optional.of("there is no property " + name);
  }
}
