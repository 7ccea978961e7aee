package io.amphora.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void shouldAlignTextLeftAndNumbersRight() {
    assertThat(
            TextTable.lines(
                List.of(List.of("NAME", "LAG"), List.of("a", "5"), List.of("longer", "1000"))))
        .containsExactly("NAME     LAG", "a          5", "longer  1000");
  }

  @Test
  void shouldShowHeadingsWhenThereIsNothing() {
    assertThat(TextTable.lines(List.of(List.of("NAME", "LAG")))).containsExactly("NAME  LAG");
  }

  @Test
  void shouldShortenBodies() {
    assertThat(MessageView.shortened("a\nb".getBytes(StandardCharsets.UTF_8))).isEqualTo("a b");
    assertThat(MessageView.shortened(new byte[] {(byte) 0xff})).isEqualTo("(1 bytes, no text)");
    assertThat(MessageView.shortened("x".repeat(1024).getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("x".repeat(60) + "... (1024 bytes)");
  }

  @Test
  void shouldWriteDurationsInTheLargestExactUnit() {
    assertThat(Durations.text(14L * 24 * 3600 * 1000)).isEqualTo("14d");
    assertThat(Durations.text(90_000)).isEqualTo("90s");
    assertThat(Durations.text(1_001)).isEqualTo("1001ms");
    assertThat(Durations.text(Long.MAX_VALUE)).isEqualTo("unlimited");
  }
}
