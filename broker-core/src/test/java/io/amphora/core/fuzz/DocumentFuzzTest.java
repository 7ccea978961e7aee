package io.amphora.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.amphora.wal.FuzzRun;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Damages the documents of the data directory, and positions. Each is refused with its own error,
 * or is a document that says the same when it is written again; and reading it costs little.
 */
@Tag("fuzz")
class DocumentFuzzTest {

  private static final int ROUNDS = 20_000;

  /** What reading may allocate: some for classes that are loaded, and so much for each byte. */
  private static final long LEAST_ALLOCATED = 16 << 20;

  private static final long ALLOCATED_PER_BYTE = 1000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<DocumentKind> kinds = DocumentKind.all();

  @Test
  @Timeout(900)
  void shouldRefuseOrReadWhatIsThere() {
    FuzzRun.run("documents", 1, ROUNDS, this::round);
  }

  @Test
  void shouldReadWhatItWrote() {
    for (DocumentKind kind : kinds) {
      for (byte[] good : kind.samples()) {
        assertThat(kind.writtenAgain(good)).as(kind.name()).hasValue(good);
      }
    }
  }

  /** What no mutation finds soon. */
  @Test
  void shouldRefuseSmallJson() {
    for (String odd : List.of("null", "{}", "[]", "\"\"", "0", "{\"format\":null}", "", " ")) {
      for (DocumentKind kind : kinds) {
        byte[] bytes = odd.getBytes(StandardCharsets.UTF_8);
        assertThat(kind.writtenAgain(bytes)).as("%s as %s", odd, kind.name()).isEmpty();
      }
    }
  }

  private void round(Random random) {
    DocumentKind kind = kinds.get(random.nextInt(kinds.size()));
    byte[] bytes = new DocumentMutator(random).mutated(kind);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    kind.writtenAgain(bytes)
        .ifPresent(again -> assertThat(kind.writtenAgain(again)).as(kind.name()).hasValue(again));
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated)
        .as("bytes allocated for %d of %s", bytes.length, kind.name())
        .isLessThan(LEAST_ALLOCATED + ALLOCATED_PER_BYTE * bytes.length);
  }
}
