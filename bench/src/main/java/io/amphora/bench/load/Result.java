package io.amphora.bench.load;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What was measured.
 *
 * @param published messages accepted by the broker a second
 * @param consumed messages received and accepted a second
 * @param refused messages the broker did not accept, in all
 * @param serverMicros CPU of the broker per message (the larger of both numbers)
 * @param clientMicros CPU of this process per message
 * @param accept from due to accepted, nanoseconds
 * @param delivery from due to received, nanoseconds
 */
public record Result(
    double published,
    double consumed,
    long refused,
    double serverMicros,
    double clientMicros,
    Histogram accept,
    Histogram delivery) {

  /** One line. */
  public String line() {
    return String.format(
            Locale.ROOT,
            "published %,.0f/s consumed %,.0f/s refused %d  CPU us/msg server %.2f client %.2f",
            published,
            consumed,
            refused,
            serverMicros,
            clientMicros)
        + latency("  accepted", accept)
        + latency("  delivered", delivery);
  }

  private static String latency(String name, Histogram histogram) {
    if (histogram.getTotalCount() == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "%n%s ms: p50 %.2f p99 %.2f p99.9 %.2f max %.2f",
        name,
        millis(histogram, 50),
        millis(histogram, 99),
        millis(histogram, 99.9),
        millis(histogram, 100));
  }

  /** A percentile in milliseconds. */
  public static double millis(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e6;
  }
}
