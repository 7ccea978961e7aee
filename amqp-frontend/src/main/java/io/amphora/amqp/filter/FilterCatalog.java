package io.amphora.amqp.filter;

import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import java.util.List;
import java.util.Optional;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;

/** The filters that plugins serve. Immutable; used by all loops. */
final class FilterCatalog {

  /** A kind of filter and who serves it. */
  record Served(FilterDescriptor descriptor, DeliveryFilterFactory factory) {}

  private final List<Served> all;

  FilterCatalog(List<DeliveryFilterFactory> factories) {
    this.all =
        factories.stream()
            .flatMap(factory -> factory.serves().stream().map(kind -> new Served(kind, factory)))
            .toList();
  }

  /**
   * Who serves an entry of a filter map: the descriptor counts, in either form, and the key only
   * for a value without one (conventions 3.6).
   */
  Optional<Served> find(Object key, Object value) {
    return all.stream().filter(each -> isMeant(each.descriptor(), key, value)).findFirst();
  }

  private static boolean isMeant(FilterDescriptor kind, Object key, Object value) {
    if (!(value instanceof DescribedType described)) {
      String name = key.toString();
      return kind.symbol().equals(name) || kind.keys().contains(name);
    }
    return described.getDescriptor() instanceof UnsignedLong code
        ? kind.codes().contains(code.longValue())
        : kind.symbol().equals(String.valueOf(described.getDescriptor()));
  }
}
