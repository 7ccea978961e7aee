package io.amphora.amqp.link;

import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.Arrays;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.TerminusDurability;
import org.apache.qpid.proton.amqp.messaging.TerminusExpiryPolicy;

/** What a receiver's source means to the core (amqp-mapping section 2). Pure. */
final class SourceMapping {

  private static final Symbol QUEUE = Symbol.valueOf("queue");
  private static final Symbol TOPIC = Symbol.valueOf("topic");
  private static final Symbol SHARED = Symbol.valueOf("shared");
  private static final Symbol GLOBAL = Symbol.valueOf("global");
  private static final Symbol COPY = Symbol.valueOf("copy");

  private SourceMapping() {}

  /** What it came to. */
  sealed interface Result {}

  /** A group to join. */
  record Subscribed(SubscribeRequest request) implements Result {}

  /** Known, and refused. */
  record Refused(Refusal why) implements Result {}

  /** The address itself does not lead anywhere. */
  record NoSuchAddress() implements Result {}

  static Result map(Address address, Source source, Subscriber who, boolean settled) {
    SubscribeRequest.Options options = new SubscribeRequest.Options(settled);
    boolean shared = has(source, SHARED);
    if (address instanceof Address.Group group) {
      Mode mode = shared || group.shared() ? Mode.SHARED : Mode.ORDERED;
      return new Subscribed(
          new SubscribeRequest(
              group.topic(), group.group(), mode, who.memberId(), StartPosition.EARLIEST, options));
    }
    if (!(address instanceof Address.Topic topic)) {
      return new NoSuchAddress();
    }
    boolean asTopic = has(source, TOPIC) || topic.kind() == Address.Kind.TOPIC;
    if (asTopic && !has(source, QUEUE)) {
      return new Subscribed(topicSubscription(topic.name(), source, who, options));
    }
    if (COPY.equals(source.getDistributionMode())) {
      return new Refused(Refusal.notImplemented("browsing is not implemented"));
    }
    return new Subscribed(
        new SubscribeRequest(
            topic.name(),
            SubscribeRequest.queueOf(topic.name()),
            Mode.SHARED,
            who.memberId(),
            StartPosition.EARLIEST,
            options));
  }

  private static SubscribeRequest topicSubscription(
      String topic, Source source, Subscriber who, SubscribeRequest.Options options) {
    boolean durable =
        (source.getDurable() != null && source.getDurable() != TerminusDurability.NONE)
            || source.getExpiryPolicy() == TerminusExpiryPolicy.NEVER;
    boolean shared = has(source, SHARED);
    String group = "";
    if (durable || shared) {
      String owner = has(source, GLOBAL) ? "" : who.containerId();
      group = topic + "::" + owner + "|" + who.subscription();
    }
    Mode mode = shared ? Mode.SHARED : Mode.ORDERED;
    return new SubscribeRequest(topic, group, mode, who.memberId(), StartPosition.LATEST, options);
  }

  /** A group that stays and that several links of clients share by name. */
  static boolean isSharedSubscription(SubscribeRequest request) {
    return request.mode() == Mode.SHARED && request.group().contains("|");
  }

  private static boolean has(Source source, Symbol capability) {
    Symbol[] all = source.getCapabilities();
    return all != null && Arrays.asList(all).contains(capability);
  }
}
