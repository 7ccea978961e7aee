package io.amphora.plugin.tagfilter;

import io.amphora.plugin.DeliveryFilter;
import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import io.amphora.plugin.tagfilter.sql.Dialect;
import io.amphora.plugin.tagfilter.sql.Sql;
import io.amphora.plugin.tagfilter.sql.SyntaxException;
import java.util.Map;
import java.util.Set;

/** JMS selectors, and the SQL of AMQP filter expressions. */
public final class SelectorFilters implements DeliveryFilterFactory {

  /** The second code is Microsoft's. */
  private static final FilterDescriptor SELECTOR =
      new FilterDescriptor(
          "apache.org:selector-filter:string",
          Set.of(0x468C00000004L, 0x137000000AL),
          Set.of("jms-selector", "selector"));

  private static final FilterDescriptor SQL =
      new FilterDescriptor("amqp:sql-filter", Set.of(0x120L), Set.of("sql-filter"));

  private static final Map<String, Dialect> DIALECTS =
      Map.of(SELECTOR.symbol(), Dialect.JMS, SQL.symbol(), Dialect.AMQP);

  @Override
  public Set<FilterDescriptor> serves() {
    return Set.of(SELECTOR, SQL);
  }

  @Override
  public FilterResult compile(FilterRequest request) {
    DeliveryFilter all = message -> true;
    for (Map.Entry<String, Object> each : request.filters().entrySet()) {
      if (!(each.getValue() instanceof String text)) {
        return new FilterResult.Refused(each.getKey() + " is not a string");
      }
      try {
        DeliveryFilter one = Sql.compile(DIALECTS.getOrDefault(each.getKey(), Dialect.JMS), text);
        all = both(all, one);
      } catch (SyntaxException e) {
        return new FilterResult.Refused(each.getKey() + ": " + e.getMessage());
      }
    }
    return new FilterResult.Compiled(all);
  }

  private static DeliveryFilter both(DeliveryFilter one, DeliveryFilter other) {
    return message -> one.matches(message) && other.matches(message);
  }
}
