package io.amphora.amqp.link;

import io.amphora.amqp.Situation;
import io.amphora.amqp.address.Address;
import io.amphora.amqp.address.AddressResolver;
import io.amphora.core.Reply;
import io.amphora.core.topology.TopicInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of one producer link go: to the topic of its target, or, on an anonymous
 * terminus, wherever each message's {@code to} says (conventions 8.2). Owned by the connection
 * loop.
 */
final class Routes {

  /** Addresses an anonymous producer keeps routes for; more start over. */
  private static final int MOST = 1000;

  /** What was found. */
  sealed interface Found {}

  /** Go ahead. */
  record Ready(TopicRoute route) implements Found {}

  /** The topic is being created. */
  record Pending(List<Runnable> waiting) implements Found {}

  /** This message cannot go anywhere. */
  record Nowhere(Refusal why) implements Found {}

  private final LinkContext context;
  private final Topics topics;
  private final @Nullable TopicRoute fixed;
  private final Map<String, Found> known = new HashMap<>();

  /** For an anonymous terminus. */
  Routes(LinkContext context, Topics topics) {
    this.context = context;
    this.topics = topics;
    this.fixed = null;
  }

  /** For a target. */
  Routes(LinkContext context, Topics topics, TopicRoute fixed) {
    this.context = context;
    this.topics = topics;
    this.fixed = fixed;
  }

  boolean isAnonymous() {
    return fixed == null;
  }

  /**
   * The topic of the target is still there.
   *
   * @return false when it was deleted: the link is over
   */
  boolean refresh() {
    if (fixed != null) {
      return fixed.refresh();
    }
    known.values().removeIf(found -> found instanceof Ready ready && !ready.route.refresh());
    return true;
  }

  /** Finds the way for a message. */
  Found find(String to) {
    if (fixed != null) {
      return new Ready(fixed);
    }
    Found found = known.get(to);
    if (found != null) {
      return found;
    }
    if (known.size() >= MOST) {
      known.values().removeIf(Ready.class::isInstance);
    }
    return resolve(to);
  }

  private Found resolve(String to) {
    if (to.isEmpty()) {
      return new Nowhere(
          new Refusal(
              Situation.PRECONDITION_FAILED.condition(),
              "a message on an anonymous link needs a to"));
    }
    Address address = AddressResolver.resolve(to);
    if (address instanceof Address.Topic topic) {
      return find(to, topic.name(), -1);
    } else if (address instanceof Address.Partition partition) {
      return find(to, partition.topic(), partition.number());
    }
    return new Nowhere(Refusal.notFound("no node at " + to));
  }

  private Found find(String to, String name, int partition) {
    List<Runnable> waiting = new ArrayList<>();
    known.put(to, new Pending(waiting));
    topics.find(
        name,
        reply -> {
          known.put(to, foundFrom(reply, partition));
          waiting.forEach(Runnable::run);
          if (!(known.get(to) instanceof Ready)) {
            known.remove(to);
          }
        });
    Found now = known.get(to);
    return now == null ? new Nowhere(Refusal.notFound("there is no topic " + name)) : now;
  }

  private Found foundFrom(Reply<TopicInfo> reply, int partition) {
    if (reply instanceof Reply.Failed<TopicInfo> failed) {
      return new Nowhere(Refusal.of(failed.error()));
    }
    TopicInfo topic = reply.orThrow();
    return partition >= topic.partitions().size()
        ? new Nowhere(Refusal.notFound("no partition " + partition + " in " + topic.name()))
        : new Ready(new TopicRoute(context.broker(), topic, partition));
  }
}
