package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TeardownTest {

  @Test
  void shouldStopTheNewestFirstAndEverythingOnceAlsoAfterAFailure() {
    List<String> stopped = new ArrayList<>();
    Teardown teardown = new Teardown();
    teardown.add("store", () -> stopped.add("store"));
    teardown.add(
        "broken",
        () -> {
          throw new IllegalStateException("expected by this test");
        });
    teardown.add("listener", () -> stopped.add("listener"));
    assertThat(teardown.run()).isFalse();
    assertThat(stopped).containsExactly("listener", "store");
    assertThat(teardown.run()).isTrue();
    assertThat(stopped).hasSize(2);
  }
}
