package io.amphora.boot;

import io.amphora.plugin.DeliveryFilterFactory;
import java.util.List;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The extensions that are on the class path. */
final class PluginsOnClassPath {

  private static final Logger log = LoggerFactory.getLogger(PluginsOnClassPath.class);

  private PluginsOnClassPath() {}

  /**
   * Filters, in the order in which they were found.
   *
   * @throws java.util.ServiceConfigurationError when one cannot be loaded
   */
  static List<DeliveryFilterFactory> filters() {
    List<DeliveryFilterFactory> found =
        ServiceLoader.load(DeliveryFilterFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    log.info("filters: {}", found.stream().map(each -> each.getClass().getName()).toList());
    return found;
  }
}
