package io.amphora.plugin.tagfilter;

import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import io.amphora.plugin.MessageView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters on the tags of a message, which are in its annotation {@code x-opt-tags}: a string or
 * symbol, or a list or array of them. A filter is an expression, or a list of tags of which one is
 * enough.
 */
public final class TagFilters implements DeliveryFilterFactory {

  private static final String FILTER = "amphora:tags";
  private static final String ANNOTATION = "x-opt-tags";

  /** Tags of one list at most. */
  static final int MOST = 256;

  @Override
  public Set<FilterDescriptor> serves() {
    return Set.of(FilterDescriptor.of(FILTER));
  }

  @Override
  public FilterResult compile(FilterRequest request) {
    Object value = request.filters().get(FILTER);
    return value instanceof List<?> list ? anyOf(list) : expression(value);
  }

  private static FilterResult anyOf(List<?> list) {
    Set<String> wanted = new HashSet<>();
    for (Object each : list) {
      if (!(each instanceof String tag)) {
        return new FilterResult.Refused(FILTER + " has an element that is not a string");
      }
      wanted.add(tag);
    }
    return wanted.isEmpty() || wanted.size() > MOST
        ? new FilterResult.Refused(FILTER + " has not 1 to " + MOST + " elements")
        : new FilterResult.Compiled(message -> tags(message).stream().anyMatch(wanted::contains));
  }

  private static FilterResult expression(@Nullable Object value) {
    if (!(value instanceof String text)) {
      return new FilterResult.Refused(FILTER + " is neither a string nor a list");
    }
    TagExpression.Result parsed = TagExpression.parse(text);
    return parsed instanceof TagExpression.Parsed good
        ? new FilterResult.Compiled(message -> good.condition().test(tags(message)))
        : new FilterResult.Refused(FILTER + ": " + ((TagExpression.Wrong) parsed).reason());
  }

  private static Set<String> tags(MessageView message) {
    Object value = message.annotation(ANNOTATION);
    if (value instanceof String one) {
      return Set.of(one);
    }
    Set<String> tags = new HashSet<>();
    if (value instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof String tag) {
          tags.add(tag);
        }
      }
    }
    return tags;
  }
}
