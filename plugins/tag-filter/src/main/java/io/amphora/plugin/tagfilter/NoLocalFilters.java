package io.amphora.plugin.tagfilter;

import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import java.util.Set;

/** JMS no-local: not what the receiver's own connection sent. Clients put anything in the value. */
public final class NoLocalFilters implements DeliveryFilterFactory {

  private static final FilterDescriptor NO_LOCAL =
      new FilterDescriptor(
          "apache.org:no-local-filter:list", Set.of(0x468C00000003L), Set.of("no-local"));

  @Override
  public Set<FilterDescriptor> serves() {
    return Set.of(NO_LOCAL);
  }

  @Override
  public FilterResult compile(FilterRequest request) {
    String self = request.containerId();
    return new FilterResult.Compiled(message -> !message.isSentBy(self), true);
  }
}
