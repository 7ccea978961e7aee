package io.amphora.boot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "512B, 512",
    "64KiB, 65536",
    "64 MiB, 67108864",
    "1GiB, 1073741824",
    "2TiB, 2199023255552",
    "3KB, 3000",
    "5GB, 5000000000"
  })
  void shouldReadSizes(String text, long bytes) {
    assertThat(Units.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"250ms, 250", "10s, 10000", "5m, 300000", "2h, 7200000", "14d, 1209600000"})
  void shouldReadDurations(String text, long millis) {
    assertThat(Units.millis(text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "1.5GiB", "64mib", "1 0", "10s", "9999999TiB", "0x10"})
  void shouldRefuseWhatIsNoSize(String text) {
    assertThatThrownBy(() -> Units.bytes(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "10S", "-5s", "1week", "999999999999999999d"})
  void shouldRefuseWhatIsNoDuration(String text) {
    assertThatThrownBy(() -> Units.millis(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldFormatBytesExactly() {
    assertThat(Units.formatBytes(0)).isEqualTo("0B");
    assertThat(Units.formatBytes(1000)).isEqualTo("1000B");
    assertThat(Units.formatBytes(1024)).isEqualTo("1KiB");
    assertThat(Units.formatBytes(1536L << 20)).isEqualTo("1536MiB");
  }
}
