package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopOnFaultTest {

  @Test
  void shouldEndTheProcessOnceWithItsOwnCode() {
    List<Integer> exits = new ArrayList<>();
    StopOnFault faults = new StopOnFault(exits::add);
    faults.fatal("expected by this test", new IllegalStateException("first"));
    faults.fatal("expected by this test", new IllegalStateException("second"));
    assertThat(exits).containsExactly(70);
  }
}
