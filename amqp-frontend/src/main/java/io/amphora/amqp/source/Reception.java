package io.amphora.amqp.source;

import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo.Mode;
import io.amphora.core.topology.SubscriptionName;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;

/**
 * How a receiver is served.
 *
 * @param request what the core is asked for
 * @param kind whether outcomes mean anything
 * @param filters the filters in force, to be echoed
 */
public record Reception(SubscribeRequest request, Kind kind, Map<Symbol, Object> filters) {

  /** Whether outcomes mean anything. */
  public enum Kind {
    /** Outcomes count. */
    MEMBER,
    /** It goes through the log or the queue by itself: whatever it says, it goes on. */
    READER
  }

  /** A group that stays and that several links of clients share by name. */
  public boolean isSharedSubscription() {
    return request.mode() == Mode.SHARED && SubscriptionName.ofGroup(request.group()).isPresent();
  }

  /** One whose link has no name before the bar that ends it. */
  public boolean isNamelessSubscription() {
    String group = request.group();
    return SubscriptionName.topicOf(group).isPresent()
        && group.endsWith("|")
        && SubscriptionName.ofGroup(group).map(named -> named.name().isEmpty()).orElse(true);
  }

  /** A group that lives until its link is closed for good, or somebody unsubscribes. */
  public boolean isDurableSubscription() {
    return SubscriptionName.ofGroup(request.group()).map(SubscriptionName::durable).orElse(false);
  }
}
