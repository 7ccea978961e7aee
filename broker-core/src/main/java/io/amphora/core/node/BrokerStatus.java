package io.amphora.core.node;

import java.util.List;

/**
 * The node at one moment.
 *
 * @param brokerId this broker
 * @param clusterId cluster it belongs to, empty before the first controller term
 * @param ready true when every partition that should be led here is
 * @param notReadyReason why not, empty when ready
 * @param alarms reasons why producers get no credit (disk low, memory), empty when there are none
 */
public record BrokerStatus(
    String brokerId, String clusterId, boolean ready, String notReadyReason, List<String> alarms) {

  /** True when producers must not get credit. */
  public boolean blocked() {
    return !alarms.isEmpty();
  }
}
