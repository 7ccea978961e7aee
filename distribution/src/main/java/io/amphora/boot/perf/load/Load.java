package io.amphora.boot.perf.load;

import io.amphora.boot.perf.wire.Target;
import java.util.Optional;

/**
 * One workload.
 *
 * @param publishers connections that publish
 * @param consumers connections that consume
 * @param size bytes of a body
 * @param rate messages a second over all publishers, 0 for as fast as possible
 * @param window credit of a consumer, and messages without outcome of a publisher, at most
 * @param acks when the broker is to answer, empty for its default
 */
public record Load(
    Target target,
    int publishers,
    int consumers,
    int size,
    double rate,
    int window,
    Optional<String> acks) {

  /** Without a word about when the broker is to answer. */
  public Load(Target target, int connections, int size, int window) {
    this(target, connections, connections, size, 0, window, Optional.empty());
  }

  /** The same with other numbers of connections. */
  public Load with(int newPublishers, int newConsumers) {
    return new Load(target, newPublishers, newConsumers, size, rate, window, acks);
  }

  /** The same at a fixed rate. */
  public Load at(double perSecond) {
    return new Load(target, publishers, consumers, size, perSecond, window, acks);
  }

  /** The same, asking the broker to answer when this is so. */
  public Load acks(Optional<String> when) {
    return new Load(target, publishers, consumers, size, rate, window, when);
  }
}
