package io.amphora.plugin;

import java.util.Set;

/**
 * How clients name one kind of filter (AMQP 1.0 part 3, section 3.5.8). A client may describe a
 * filter's value with the symbol or with a number; keys of the filter map are its own choice and
 * count only for values that are not described.
 *
 * @param symbol symbolic descriptor, such as {@code apache.org:selector-filter:string}; also the
 *     name under which the filter is handed to {@link DeliveryFilterFactory#compile}
 * @param codes numeric descriptors, maybe none
 * @param keys keys under which a value without a descriptor is taken for this filter; the symbol
 *     itself always is
 */
public record FilterDescriptor(String symbol, Set<Long> codes, Set<String> keys) {

  public FilterDescriptor {
    codes = Set.copyOf(codes);
    keys = Set.copyOf(keys);
  }

  /** One without a numeric form and without further keys. */
  public static FilterDescriptor of(String symbol) {
    return new FilterDescriptor(symbol, Set.of(), Set.of());
  }

  /** One with a numeric form. */
  public static FilterDescriptor of(String symbol, long code) {
    return new FilterDescriptor(symbol, Set.of(code), Set.of());
  }
}
