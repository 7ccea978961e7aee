package io.amphora.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void shouldPrintMediansAndTheFirstColumnOverEachOther() {
    Table table = new Table(List.of("A", "B"));
    for (double value : new double[] {300, 100, 200}) {
      table.add("row", "A", value);
    }
    table.add("row", "B", 50);

    assertThat(table.markdown())
        .isEqualTo(
            """
            | workload | A | B | A / B |
            |---|---|---|---|
            | row | 200 (100-300) | 50.0 (50.0-50.0) | 4.00 |
            """);
  }
}
