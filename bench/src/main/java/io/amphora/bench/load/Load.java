package io.amphora.bench.load;

import io.amphora.bench.wire.Target;

/**
 * One workload.
 *
 * @param size bytes of a body
 * @param rate messages a second over all publishers, 0 for as fast as possible
 * @param window credit of a consumer
 */
public record Load(
    Target target, int publishers, int consumers, int size, double rate, int window) {

  /** The same with other numbers of connections. */
  public Load with(int newPublishers, int newConsumers) {
    return new Load(target, newPublishers, newConsumers, size, rate, window);
  }

  /** The same at a fixed rate. */
  public Load at(double perSecond) {
    return new Load(target, publishers, consumers, size, perSecond, window);
  }

  /** The same on another address. */
  public Load on(String address) {
    return new Load(target.at(address), publishers, consumers, size, rate, window);
  }
}
