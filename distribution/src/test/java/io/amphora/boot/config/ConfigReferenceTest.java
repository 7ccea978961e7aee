package io.amphora.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps what is written about the configuration true. */
class ConfigReferenceTest {

  private static final Path PAGE = Path.of("..", "docs", "configuration.md");
  private static final Path SAMPLE = Path.of("src", "dist", "conf", "amphora.yaml");

  @Test
  void shouldHaveAnUpToDateReferencePage() throws IOException {
    if (Boolean.getBoolean("config.reference.write")) {
      ConfigReference.write(PAGE);
    }
    assertThat(PAGE)
        .as("stale: run mvn -pl distribution -am test -Dconfig.reference.write=true")
        .hasContent(ConfigReference.markdown());
  }

  @Test
  void shouldShowTheDefaultsInTheSampleFile(@TempDir Path dir) throws Exception {
    String sample = Files.readString(SAMPLE);
    Path uncommented = dir.resolve("amphora.yaml");
    // "# Prose" stays a comment, "#key:" and "#  key:" become settings.
    Files.writeString(uncommented, sample.replaceAll("(?m)^#(?! \\S)", ""));
    Config config =
        ConfigLoader.load(new ConfigLoader.Sources(Optional.of(uncommented), Map.of(), List.of()));
    List<Config.Setting> written =
        config.settings().values().stream().filter(s -> !s.source().equals("default")).toList();
    assertThat(written).hasSizeGreaterThan(20);
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      assertThat((Object) config.get(key))
          .as(key.name())
          .isEqualTo(key.type().parse(key.fallback()));
    }
  }

  @Test
  void shouldChangeNothingWithTheSampleFileAsItIs() throws Exception {
    Config config =
        ConfigLoader.load(new ConfigLoader.Sources(Optional.of(SAMPLE), Map.of(), List.of()));
    assertThat(config.settings().values()).allMatch(s -> s.source().equals("default"));
  }
}
