package io.amphora.plugin;

import java.util.Map;

/**
 * What a receiver asks of one factory when it attaches.
 *
 * @param filters filter values by {@link FilterDescriptor#symbol}; at least one; never null. Values
 *     are Java objects as {@link MessageView} describes them
 * @param containerId container-id of the receiver's connection
 */
public record FilterRequest(Map<String, Object> filters, String containerId) {

  public FilterRequest {
    filters = Map.copyOf(filters);
  }
}
