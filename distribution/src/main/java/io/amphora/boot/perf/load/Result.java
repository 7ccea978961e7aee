package io.amphora.boot.perf.load;

import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * What was measured.
 *
 * @param accept from due to accepted, nanoseconds
 * @param delivery from due to received, nanoseconds; of round trips: until both were there
 */
public record Result(Span span, Faults faults, Cpu cpu, Histogram accept, Histogram delivery) {

  private static final double MIB = 1 << 20;

  /**
   * What counted.
   *
   * @param seconds how long
   * @param published messages accepted by the broker
   * @param consumed messages received and accepted
   * @param bytes of the bodies published, or when nothing is published, of the messages consumed
   */
  public record Span(double seconds, long published, long consumed, long bytes) {}

  /**
   * What went wrong, in the whole run.
   *
   * @param refused messages the broker did not accept
   * @param unanswered messages it did not answer in time
   * @param undelivered messages it accepted and did not deliver in time, where that counts
   * @param others messages received and accepted that were not of this run
   * @param refusal why the first of the refused was refused
   */
  public record Faults(
      long refused, long unanswered, long undelivered, long others, Optional<String> refusal) {

    /** True when all that was sent was accepted, and delivered where that counts. */
    public boolean none() {
      return refused + unanswered + undelivered == 0;
    }
  }

  /**
   * CPU while it counted, microseconds.
   *
   * @param server of the broker, 0 when it is not known
   * @param client of this process
   */
  public record Cpu(double server, double client) {}

  /** Messages accepted a second. */
  public double published() {
    return span.published() / seconds();
  }

  /** Messages received a second. */
  public double consumed() {
    return span.consumed() / seconds();
  }

  /** MiB a second. */
  public double mib() {
    return span.bytes() / MIB / seconds();
  }

  /** CPU of the broker per message, the larger of both numbers. */
  public double serverMicros() {
    return cpu.server() / messages();
  }

  /** CPU of this process per message. */
  public double clientMicros() {
    return cpu.client() / messages();
  }

  private double messages() {
    return Math.max(1, Math.max(span.published(), span.consumed()));
  }

  private double seconds() {
    return Math.max(span.seconds(), 1e-9);
  }

  /** A line, and one for each kind of latency. */
  public String text() {
    return String.format(
            Locale.ROOT,
            "published %,.0f/s consumed %,.0f/s %,.1f MiB/s refused %d unanswered %d undelivered %d"
                + "  CPU us/msg server %.2f client %.2f",
            published(),
            consumed(),
            mib(),
            faults.refused(),
            faults.unanswered(),
            faults.undelivered(),
            serverMicros(),
            clientMicros())
        + latency("accepted", accept)
        + latency("delivered", delivery);
  }

  private static String latency(String name, Histogram histogram) {
    return histogram.getTotalCount() == 0 ? "" : "\n  " + name + " " + percentiles(histogram);
  }

  /** Percentiles in one line. */
  public static String percentiles(Histogram histogram) {
    return String.format(
        Locale.ROOT,
        "ms: p50 %.2f p99 %.2f p99.9 %.2f max %.2f",
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
