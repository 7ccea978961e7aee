package io.amphora.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.TopicConfig.PartitionerKind;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyHashTest {

  /** Published vectors of MurmurHash3 x86 32, seed 0; they must hold for ever. */
  @ParameterizedTest
  @CsvSource({
    "'', 00000000",
    "00, 514e28b7",
    "21, 72661cf4",
    "2143, a0f7b07a",
    "214365, 7e4a8634",
    "21436587, f55b516b",
    "00000000, 2362f9de",
    "ffffffff, 76293b50"
  })
  void shouldHashBytesAsPublished(String hex, String hash) {
    assertThat(KeyHash.of(HexFormat.of().parseHex(hex)))
        .isEqualTo(Integer.parseUnsignedInt(hash, 16));
  }

  @ParameterizedTest
  @CsvSource({
    "test, ba6bd213",
    "'Hello, world!', c0363e43",
    "The quick brown fox jumps over the lazy dog, 2e4ff723"
  })
  void shouldHashTextAsPublished(String text, String hash) {
    assertThat(KeyHash.of(text.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(Integer.parseUnsignedInt(hash, 16));
  }

  @ParameterizedTest
  @CsvSource({"0, 7, 0", "13, 7, 6", "-1, 10, 5", "-2147483648, 3, 2", "5, 1, 0"})
  void shouldTakeTheHashAsUnsigned(int hash, int partitions, int partition) {
    assertThat(Partitioner.keyed(hash, partitions)).isEqualTo(partition);
  }

  @Test
  void shouldStickOrGoRound() {
    Partitioner sticky = new Partitioner(PartitionerKind.STICKY, 3, 7);
    Partitioner round = new Partitioner(PartitionerKind.ROUND_ROBIN, 3, -1);
    assertThat(IntStream.range(0, 4).map(i -> sticky.unkeyed())).containsExactly(1, 1, 1, 1);
    assertThat(IntStream.range(0, 4).map(i -> round.unkeyed())).containsExactly(2, 0, 1, 2);
  }
}
