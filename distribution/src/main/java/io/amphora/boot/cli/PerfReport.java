package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Result;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** What is said about a load. */
enum PerfReport {
  PUBLISH("accepted", "to accepted"),
  CONSUME("received", ""),
  RATE("received", "from due to received"),
  ROUND_TRIP("back", "until accepted and received");

  private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
  private static final String[] NAMES = {"p50", "p90", "p99", "p99.9", "max"};

  private final String done;
  private final String latency;

  PerfReport(String done, String latency) {
    this.done = done;
    this.latency = latency;
  }

  /** True when nothing is amiss. */
  boolean good(Result result, Amount amount) {
    long wanted = amount.messages() == Long.MAX_VALUE ? 1 : amount.messages();
    return result.faults().none() && messages(result) >= wanted;
  }

  String text(Result result) {
    Result.Faults faults = result.faults();
    String line =
        String.format(
            Locale.ROOT,
            "%s %d in %.3f s: %.0f messages/s, %.2f MiB/s; %d refused, %d unanswered,"
                + " %d undelivered",
            done,
            messages(result),
            result.span().seconds(),
            messages(result) / Math.max(result.span().seconds(), 1e-9),
            result.mib(),
            faults.refused(),
            faults.unanswered(),
            faults.undelivered());
    String others = faults.others() == 0 ? "" : "; " + faults.others() + " of others accepted";
    Histogram histogram = histogram(result);
    return line
        + others
        + (histogram.getTotalCount() == 0
            ? ""
            : System.lineSeparator() + "latency " + latency + ", " + percentiles(histogram));
  }

  private static String percentiles(Histogram histogram) {
    StringBuilder text = new StringBuilder("ms:");
    for (int i = 0; i < NAMES.length; i++) {
      double millis = Result.millis(histogram, PERCENTILES[i]);
      text.append(String.format(Locale.ROOT, " %s %.3f", NAMES[i], millis));
    }
    return text.toString();
  }

  ObjectNode json(Result result) {
    Result.Faults faults = result.faults();
    ObjectNode json = Output.JSON.createObjectNode();
    json.put(done, messages(result))
        .put("seconds", result.span().seconds())
        .put("messagesPerSecond", messages(result) / Math.max(result.span().seconds(), 1e-9))
        .put("mibPerSecond", result.mib())
        .put("refused", faults.refused())
        .put("unanswered", faults.unanswered())
        .put("undelivered", faults.undelivered())
        .put("others", faults.others());
    Histogram histogram = histogram(result);
    if (histogram.getTotalCount() > 0) {
      ObjectNode millis = json.putObject("latencyMillis");
      for (int i = 0; i < NAMES.length; i++) {
        millis.put(NAMES[i], Result.millis(histogram, PERCENTILES[i]));
      }
    }
    return json;
  }

  private long messages(Result result) {
    return this == PUBLISH ? result.span().published() : result.span().consumed();
  }

  private Histogram histogram(Result result) {
    return this == PUBLISH ? result.accept() : result.delivery();
  }
}
