package io.amphora.amqp.source;

import io.amphora.amqp.address.Address;
import io.amphora.amqp.filter.SourceFilters;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo.Mode;
import io.amphora.core.topology.SubscriptionName;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.TerminusDurability;
import org.apache.qpid.proton.amqp.messaging.TerminusExpiryPolicy;

/** What a receiver's source means to the core (docs/amqp.md section 2). Pure. */
public final class SourceMapping {

  private static final Symbol QUEUE = Symbol.valueOf("queue");
  private static final Symbol TEMPORARY_QUEUE = Symbol.valueOf("temporary-queue");
  private static final Symbol TOPIC = Symbol.valueOf("topic");
  private static final Symbol TEMPORARY_TOPIC = Symbol.valueOf("temporary-topic");
  private static final Symbol SHARED = Symbol.valueOf("shared");
  private static final Symbol GLOBAL = Symbol.valueOf("global");
  private static final Symbol COPY = Symbol.valueOf("copy");

  private final Source source;
  private final SourceFilters.InForce filters;
  private final Subscriber who;
  private final SettleWish settle;

  private SourceMapping(
      Source source, SourceFilters.InForce filters, Subscriber who, SettleWish settle) {
    this.source = source;
    this.filters = filters;
    this.who = who;
    this.settle = settle;
  }

  /** The snd-settle-mode that a receiver asks for. */
  public enum SettleWish {
    UNSETTLED,
    SETTLED,
    MIXED
  }

  /**
   * What a source means.
   *
   * @return empty when the address leads nowhere
   */
  public static Optional<Reception> map(
      Address address,
      Source source,
      SourceFilters.InForce filters,
      Subscriber who,
      SettleWish settle) {
    return new SourceMapping(source, filters, who, settle).map(address);
  }

  private Optional<Reception> map(Address address) {
    if (address instanceof Address.Group group) {
      return Optional.of(group(group));
    } else if (address instanceof Address.Partition partition) {
      return Optional.of(readerOf(partition.topic(), partition.number()));
    } else if (address instanceof Address.Reader reader) {
      return Optional.of(readerOf(reader.topic(), reader.number()));
    }
    return address instanceof Address.Topic topic ? Optional.of(topic(topic)) : Optional.empty();
  }

  private Reception group(Address.Group group) {
    if (isBrowse()) {
      return browser(group.topic(), group.group());
    }
    Mode mode = has(SHARED) || group.shared() ? Mode.SHARED : Mode.ORDERED;
    return member(group.topic(), group.group(), mode, start(StartPosition.EARLIEST));
  }

  private Reception topic(Address.Topic topic) {
    boolean asQueue = has(QUEUE) || has(TEMPORARY_QUEUE);
    boolean said = has(TOPIC) || has(TEMPORARY_TOPIC) || topic.kind() == Address.Kind.TOPIC;
    // Copy that is durable is a subscription, also without the capability (conventions 3.4).
    boolean asTopic = !asQueue && (said || (isCopy() && isDurable()));
    if (asTopic && (isDurable() || has(SHARED))) {
      String owner = has(GLOBAL) ? "" : who.containerId();
      String group =
          new SubscriptionName(owner, who.subscription(), isDurable()).groupOn(topic.name());
      return has(SHARED)
          ? member(topic.name(), group, Mode.SHARED, start(StartPosition.LATEST))
          : subscription(topic.name(), group);
    }
    if (filters.start().isPresent()) {
      return reader(topic.name(), start(StartPosition.EARLIEST), OptionalInt.empty());
    }
    if (asTopic) {
      return member(topic.name(), "", Mode.ORDERED, StartPosition.LATEST);
    }
    String queue = SubscribeRequest.queueOf(topic.name());
    return isBrowse()
        ? browser(topic.name(), queue)
        : member(topic.name(), queue, Mode.SHARED, StartPosition.EARLIEST);
  }

  private StartPosition start(StartPosition otherwise) {
    return filters.start().orElse(otherwise);
  }

  private Reception member(String topic, String group, Mode mode, StartPosition start) {
    return member(topic, group, mode, start, options());
  }

  /** One link at a time holds it: a newer attach of the link takes it over (conventions 3.10). */
  private Reception subscription(String topic, String group) {
    return member(topic, group, Mode.ORDERED, start(StartPosition.LATEST), options().stealing());
  }

  private Reception member(
      String topic,
      String group,
      Mode mode,
      StartPosition start,
      SubscribeRequest.Options options) {
    SubscribeRequest request =
        new SubscribeRequest(topic, group, mode, who.memberId(), start, options);
    return new Reception(request, Reception.Kind.MEMBER, filters.echo());
  }

  private SubscribeRequest.Options options() {
    return new SubscribeRequest.Options(settle == SettleWish.SETTLED);
  }

  /** Event Hubs clients begin with what is new (conventions 5.3). */
  private Reception readerOf(String topic, int partition) {
    return reader(topic, start(StartPosition.LATEST), OptionalInt.of(partition));
  }

  private Reception reader(String topic, StartPosition start, OptionalInt only) {
    return alone(topic, start, new SubscribeRequest.Options(settle == SettleWish.SETTLED, only));
  }

  private Reception browser(String topic, String group) {
    StartPosition start = start(new StartPosition.AsGroup(group));
    boolean settled = settle != SettleWish.UNSETTLED;
    return alone(topic, start, new SubscribeRequest.Options(settled));
  }

  private Reception alone(String topic, StartPosition start, SubscribeRequest.Options options) {
    SubscribeRequest request =
        new SubscribeRequest(topic, "", Mode.ORDERED, who.memberId(), start, options);
    return new Reception(request, Reception.Kind.READER, filters.echo());
  }

  private boolean isBrowse() {
    return isCopy() && !isDurable();
  }

  private boolean isCopy() {
    return COPY.equals(source.getDistributionMode());
  }

  private boolean isDurable() {
    return (source.getDurable() != null && source.getDurable() != TerminusDurability.NONE)
        || source.getExpiryPolicy() == TerminusExpiryPolicy.NEVER;
  }

  private boolean has(Symbol capability) {
    Symbol[] all = source.getCapabilities();
    return all != null && Arrays.asList(all).contains(capability);
  }
}
