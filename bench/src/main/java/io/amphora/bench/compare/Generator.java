package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Result;

/** Loads one running broker over its own protocol. */
interface Generator {

  /**
   * What is sent where.
   *
   * @param size bytes of a body
   * @param rate messages a second, 0 for as fast as possible
   */
  record Job(String address, int size, double rate) {}

  /** Publishes over one connection. */
  Result publish(Job job, Amount amount) throws Exception;

  /** Publishes over one connection and consumes over another. */
  Result together(Job job, Amount amount) throws Exception;

  /** Consumes so many messages that are there; the first quarter is the warm-up. */
  Result drain(Job job, long count) throws Exception;

  /** One message at a time: the next is sent when the last was accepted and received. */
  Result roundTrips(Job job, Amount amount) throws Exception;
}
