package io.amphora.core.delivery;

import static io.amphora.core.delivery.Redelivery.Verdict.DONE;
import static io.amphora.core.delivery.Redelivery.Verdict.EXCLUDE;
import static io.amphora.core.delivery.Redelivery.Verdict.PARK;
import static io.amphora.core.delivery.Redelivery.Verdict.RETURN;
import static io.amphora.core.topology.GroupInfo.Mode.ORDERED;
import static io.amphora.core.topology.GroupInfo.Mode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.GroupInfo;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of outcomes: group, limit, attempts before, outcome, what happens, whether it counts.
 */
class RedeliveryTest {
  private static Outcome modified(boolean failed, boolean undeliverableHere) {
    return new Outcome.Modified(failed, undeliverableHere, new byte[0]);
  }

  static Stream<Row> table() {
    Outcome rejected = new Outcome.Rejected("amqp:internal-error", "");
    return Stream.of(
        row(SHARED, 16, 0, Outcome.ACCEPTED, DONE, false),
        row(SHARED, 16, 15, Outcome.ACCEPTED, DONE, false),
        row(SHARED, 16, 15, Outcome.RELEASED, RETURN, false),
        row(SHARED, 0, 0, Outcome.RELEASED, RETURN, false),
        row(SHARED, 16, 0, rejected, PARK, false),
        row(ORDERED, -1, 0, rejected, PARK, false),
        row(SHARED, 16, 15, modified(false, false), RETURN, false),
        row(SHARED, 16, 14, modified(true, false), RETURN, true),
        row(SHARED, 16, 15, modified(true, false), PARK, true),
        row(SHARED, -1, 1_000_000, modified(true, false), RETURN, true),
        row(SHARED, 1, 0, modified(true, false), PARK, true),
        row(SHARED, 16, 0, modified(false, true), EXCLUDE, false),
        row(SHARED, 16, 0, modified(true, true), EXCLUDE, true),
        row(SHARED, 16, 15, modified(true, true), PARK, true),
        row(ORDERED, 16, 0, modified(false, true), PARK, false),
        row(ORDERED, 16, 0, modified(true, false), RETURN, true));
  }

  private record Row(Redelivery rules, int attempts, Outcome outcome, Redelivery.Decision wanted) {}

  @ParameterizedTest
  @MethodSource("table")
  void shouldDecideAsTheTableSays(Row row) {
    assertThat(row.rules().decide(row.outcome(), row.attempts())).isEqualTo(row.wanted());
  }

  private static Row row(Object... cells) {
    return new Row(
        new Redelivery((GroupInfo.Mode) cells[0], (int) cells[1], true),
        (int) cells[2],
        (Outcome) cells[3],
        new Redelivery.Decision((Redelivery.Verdict) cells[4], (boolean) cells[5]));
  }
}
