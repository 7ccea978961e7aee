package io.amphora.wal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a machine where nothing may be unpacked and loaded: each case in a process of its own. */
class NativeLibraryTest {

  /** Prints what works. */
  static final class Probe {

    private Probe() {}

    public static void main(String[] args) {
      byte[] bytes = new byte[5000];
      byte[] packed = new byte[5000];
      for (Compression each : Compression.values()) {
        int length = each.compress(bytes, 0, bytes.length, packed, 0);
        System.out.println(each + " " + (length > 0) + " " + each.problem().orElse("fine"));
      }
    }
  }

  private static List<String> probe(String... jvm) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvm));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  @Test
  void shouldDoWithoutTheNativeLibrary(@TempDir Path dir) throws Exception {
    Path file = Files.createFile(dir.resolve("no-directory"));
    for (String property : List.of("java.io.tmpdir", "ZstdTempFolder")) {
      List<String> lines = probe("-D" + property + "=" + file);
      assertThat(lines).filteredOn(l -> l.startsWith("LZ4")).containsExactly("LZ4 true fine");
      assertThat(lines)
          .filteredOn(l -> l.startsWith("ZSTD"))
          .singleElement()
          .asString()
          .startsWith("ZSTD false zstd cannot be used here")
          .contains(file.toString(), "-DZstdTempFolder=DIR");
    }
  }

  @Test
  void shouldUseAnotherDirectoryWhenItIsNamed(@TempDir Path dir) throws Exception {
    Path file = Files.createFile(dir.resolve("no-directory"));
    assertThat(probe("-Djava.io.tmpdir=" + file, "-DZstdTempFolder=" + dir))
        .contains("ZSTD true fine");
    try (var left = Files.list(dir)) {
      assertThat(left).as("leaves nothing behind").containsExactly(file);
    }
  }
}
