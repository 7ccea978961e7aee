package io.amphora.amqp.source;

import io.amphora.core.delivery.MemberId;

/** Who attaches a receiver. */
public record Subscriber(String containerId, String linkName, long instance) {

  MemberId memberId() {
    return new MemberId(containerId, linkName, instance);
  }

  /** The subscription's name: JMS numbers further links after a bar (conventions 4.2). */
  String subscription() {
    return subscription(linkName);
  }

  /** The name of the subscription that a link of this name belongs to. */
  public static String subscription(String linkName) {
    int bar = linkName.indexOf('|');
    return bar < 0 ? linkName : linkName.substring(0, bar);
  }
}
