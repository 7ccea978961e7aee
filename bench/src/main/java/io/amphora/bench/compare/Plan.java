package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Amount;
import java.util.List;
import java.util.Set;

/**
 * What a round measures.
 *
 * @param size bytes of a body
 * @param backlog messages to consume
 * @param rates of the latency rows, messages a second
 */
record Plan(Time time, int size, long backlog, List<Integer> rates, Set<Row> rows) {

  /**
   * Seconds.
   *
   * @param first warm-up of a broker that was just started; later workloads take half
   */
  record Time(double first, double seconds) {}

  boolean has(Row row) {
    return rows.contains(row);
  }

  Amount amount(boolean warm) {
    return Amount.seconds(warm ? time.first() / 2 : time.first(), time.seconds());
  }
}
