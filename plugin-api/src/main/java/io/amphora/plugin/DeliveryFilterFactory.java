package io.amphora.plugin;

import java.util.Set;

/**
 * Makes filters that select messages for a receiver. Found with {@link java.util.ServiceLoader}: a
 * plugin names its factories in {@code META-INF/services/io.amphora.plugin.DeliveryFilterFactory}.
 * A factory has no state that changes: it is called from several threads at the same time.
 */
public interface DeliveryFilterFactory {

  /**
   * The kinds of filter that it serves; the same at every call. A kind that several factories serve
   * goes to the one that was found first.
   */
  Set<FilterDescriptor> serves();

  /**
   * Compiles all filters of a receiver that this factory serves. Called on an event loop when the
   * receiver attaches: it must return within a millisecond or so, whatever the values are, and must
   * not block. An exception refuses the link.
   */
  FilterResult compile(FilterRequest request);
}
