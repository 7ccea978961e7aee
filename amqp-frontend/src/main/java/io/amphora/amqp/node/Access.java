package io.amphora.amqp.node;

import io.amphora.amqp.address.Address;
import io.amphora.amqp.address.AddressResolver;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What the tokens of one connection permit. A connection that is let in without one, because its
 * listener is open or its user is known, may attach to everything. Owned by the connection loop.
 */
final class Access {

  /** Tokens that a connection may hold; one more takes the place of the one that ends first. */
  private static final int MOST = 1000;

  private final BooleanSupplier open;

  /** End of the permission, milliseconds since 1970, by path; the empty path is all of them. */
  private final Map<String, Long> grants = new HashMap<>();

  /**
   * @param open whether everything is permitted without a token
   */
  Access(BooleanSupplier open) {
    this.open = open;
  }

  /** Whether everything is permitted without a token. */
  boolean isOpen() {
    return open.getAsBoolean();
  }

  /** A token was good. */
  void grant(String path, long untilMillis) {
    String key = path.toLowerCase(Locale.ROOT);
    if (grants.size() >= MOST && !grants.containsKey(key)) {
      grants.entrySet().stream()
          .min(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .ifPresent(grants::remove);
    }
    grants.put(key, untilMillis);
  }

  /** Forgets what is over. */
  void expire(long nowMillis) {
    grants.values().removeIf(until -> until <= nowMillis);
  }

  /** When the next token ends, milliseconds since 1970; {@link Long#MAX_VALUE} without any. */
  long nextEnd() {
    return grants.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }

  /** Whether the connection may attach to the address; the empty one stands for all addresses. */
  boolean permits(String address) {
    if (isOpen()) {
      return true;
    }
    String path = path(address).toLowerCase(Locale.ROOT);
    return grants.keySet().stream()
        .anyMatch(
            granted -> granted.isEmpty() || path.equals(granted) || path.startsWith(granted + "/"));
  }

  /** Whether it holds any token, or needs none. */
  boolean permitsAnything() {
    return isOpen() || !grants.isEmpty();
  }

  /** The way in which tokens write it. */
  private static String path(String address) {
    if (address.isEmpty()) {
      return "";
    }
    Address what = AddressResolver.resolve(address);
    if (what instanceof Address.Topic topic) {
      return topic.name();
    } else if (what instanceof Address.Partition partition) {
      return partition.topic() + "/Partitions/" + partition.number();
    } else if (what instanceof Address.Group group) {
      return group.topic() + "/Subscriptions/" + group.group();
    } else if (what instanceof Address.Reader reader) {
      return reader.topic()
          + "/ConsumerGroups/"
          + reader.group()
          + "/Partitions/"
          + reader.number();
    }
    return "";
  }
}
