package io.amphora.amqp.testkit;

import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import java.util.Set;

/**
 * Filters on the application property {@code color}, and on who sent it. The value {@code bad} is
 * malformed, {@code throw} throws.
 */
public final class FakeFilters implements DeliveryFilterFactory {

  public static final FilterDescriptor COLOR =
      new FilterDescriptor("test:color", Set.of(0x7001L), Set.of("color"));

  public static final FilterDescriptor FOREIGN = FilterDescriptor.of("test:foreign", 0x7002);

  @Override
  public Set<FilterDescriptor> serves() {
    return Set.of(COLOR, FOREIGN);
  }

  @Override
  public FilterResult compile(FilterRequest request) {
    Object color = request.filters().get(COLOR.symbol());
    if ("bad".equals(color)) {
      return new FilterResult.Refused("test:color: unexpected 'b' at position 1");
    } else if ("throw".equals(color)) {
      throw new IllegalStateException("broken");
    }
    boolean foreign = request.filters().containsKey(FOREIGN.symbol());
    String self = request.containerId();
    return new FilterResult.Compiled(
        message ->
            (color == null || color.equals(message.applicationProperty("color")))
                && (!foreign || !message.isSentBy(self)),
        foreign);
  }
}
