package io.amphora.core.topology;

import java.util.Optional;

/**
 * Names a subscription of a topic, which is a group of its own: {@code topic::owner|name} for a
 * durable one, {@code topic::owner|name|} for one that ends with its last member.
 *
 * @param owner container id of the client; empty when any client may join
 * @param name not empty, without a bar
 * @param durable whether it outlives its members
 */
public record SubscriptionName(String owner, String name, boolean durable) {

  private static final String TOPIC_END = "::";
  private static final char BAR = '|';

  /** The name of the group. */
  public String groupOn(String topic) {
    return topic + TOPIC_END + owner + BAR + name + (durable ? "" : BAR);
  }

  /** Reads the name of a group; empty when it is no subscription. */
  public static Optional<SubscriptionName> ofGroup(String group) {
    int topicEnd = group.indexOf(TOPIC_END);
    boolean durable = group.isEmpty() || group.charAt(group.length() - 1) != BAR;
    int end = durable ? group.length() : group.length() - 1;
    int bar = group.lastIndexOf(BAR, end - 1);
    if (topicEnd < 0 || bar < topicEnd + TOPIC_END.length()) {
      return Optional.empty();
    }
    String owner = group.substring(topicEnd + TOPIC_END.length(), bar);
    return Optional.of(new SubscriptionName(owner, group.substring(bar + 1, end), durable));
  }

  /** The topic that a group belongs to alone; empty when it may span topics. */
  public static Optional<String> topicOf(String group) {
    int topicEnd = group.indexOf(TOPIC_END);
    return topicEnd < 0 ? Optional.empty() : Optional.of(group.substring(0, topicEnd));
  }
}
