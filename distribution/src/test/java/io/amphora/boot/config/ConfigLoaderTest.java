package io.amphora.boot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {

  private static final Map<String, String> NO_ENVIRONMENT = Map.of();

  @TempDir private Path dir;

  private Optional<Path> file(String yaml) throws IOException {
    return Optional.of(Files.writeString(dir.resolve("amphora.yaml"), yaml));
  }

  private static List<String> problems(
      Optional<Path> file, Map<String, String> environment, String... overrides) {
    ConfigException refused =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                ConfigLoader.load(new ConfigLoader.Sources(file, environment, List.of(overrides))));
    assertThat(refused).as("the configuration should be refused").isNotNull();
    return refused.problems();
  }

  @Test
  void shouldPreferSetToEnvironmentToFileToDefault() throws Exception {
    Optional<Path> file =
        file(
            """
            listeners:
              amqp:
                port: 1001
              http.port: 1002
            amqp.link-credit: 1003
            """);
    Map<String, String> environment =
        Map.of("AMPHORA_LISTENERS_AMQP_PORT", "2001", "AMPHORA_LISTENERS_HTTP_PORT", "2002");
    Config config =
        ConfigLoader.load(
            new ConfigLoader.Sources(
                file, environment, List.of("listeners.amqp.port=3001", "data.dir=/x=y")));
    assertThat(config.get(ListenerKeys.AMQP_PORT)).isEqualTo(3001);
    assertThat(config.get(ListenerKeys.HTTP_PORT)).isEqualTo(2002);
    assertThat(config.get(ListenerKeys.LINK_CREDIT)).isEqualTo(1003);
    assertThat(config.get(ListenerKeys.AMQP_HOST)).isEqualTo("127.0.0.1");
    assertThat(config.get(StorageKeys.DATA_DIR)).isEqualTo("/x=y");
    assertThat(config.settings().get("listeners.http.port").source())
        .isEqualTo("environment AMPHORA_LISTENERS_HTTP_PORT");
    assertThat(config.settings().get("amqp.link-credit").source()).endsWith("amphora.yaml:5");
  }

  @Test
  void shouldNameKeyLineAndWhatIsAllowedForEachMistakeInTheFile() throws Exception {
    Optional<Path> file =
        file(
            """
            # a comment
            listeners:
              amqp:
                prt: 5672

            amqp:
              link-credit: lots
            nonsense: 1
            """);
    assertThat(problems(file, NO_ENVIRONMENT))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .contains("amphora.yaml:4: unknown key listeners.amqp.prt")
                    .contains("listeners.amqp.port"),
            second ->
                assertThat(second)
                    .contains("amphora.yaml:7: amqp.link-credit: 'lots'")
                    .contains("a whole number from 1 to 100000"),
            third -> assertThat(third).contains("amphora.yaml:8: unknown key nonsense"));
  }

  @Test
  void shouldRefuseAKeyThatIsSetTwice() throws Exception {
    Optional<Path> file = file("amqp.link-credit: 5\namqp:\n  link-credit: 6\n");
    assertThat(problems(file, NO_ENVIRONMENT))
        .singleElement()
        .asString()
        .contains("amphora.yaml:3")
        .contains("twice")
        .contains("amphora.yaml:1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a: [", "- 1\n- 2\n", "just text", "a:\n\t- b", "cluster.members: [{a: b}]"})
  void shouldRefuseWhatIsNotAMapOfValues(String yaml) throws Exception {
    assertThat(problems(file(yaml), NO_ENVIRONMENT))
        .singleElement()
        .asString()
        .contains("amphora.yaml");
  }

  @Test
  void shouldTakeAnEmptyFileAndEmptySections() throws Exception {
    for (String yaml : List.of("", "# nothing\n", "listeners:\n  amqp:\n", "---\n")) {
      ConfigLoader.Sources sources =
          new ConfigLoader.Sources(file(yaml), NO_ENVIRONMENT, List.of());
      assertThat(ConfigLoader.load(sources).get(ListenerKeys.AMQP_PORT)).isEqualTo(5672);
    }
  }

  @Test
  void shouldRefuseAFileThatIsNotThere() {
    assertThat(problems(Optional.of(dir.resolve("none.yaml")), NO_ENVIRONMENT))
        .singleElement()
        .asString()
        .contains("none.yaml")
        .contains("cannot be read");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "listeners.amqp.port=65536",
        "listeners.amqp.port=-1",
        "listeners.amqp.port=",
        "listeners.amqp.host=not a host",
        "amqp.max-frame-size=2MiB",
        "amqp.idle-timeout=1s",
        "amqp.idle-timeout=10",
        "topics.default.partitions=0",
        "topics.default.flush=always",
        "topics.default.segment.bytes=2GiB",
        "topics.auto-create=maybe",
        "memory.tail-cache=12%",
        "cluster.size=3",
        "cluster.members=10.0.0.2:5701",
        "data.dir=",
        "no-equals-sign",
        "=5",
        "listeners.amqp=5"
      })
  void shouldRefuseWhatIsNotAllowed(String override) {
    assertThat(problems(Optional.empty(), NO_ENVIRONMENT, override))
        .singleElement()
        .asString()
        .startsWith("--set");
  }

  @Test
  void shouldRefuseAVariableThatLooksLikeOursButLeaveOthersAlone() throws Exception {
    assertThat(problems(Optional.empty(), Map.of("AMPHORA_LISTENERS_AMQP_PROT", "1")))
        .singleElement()
        .asString()
        .contains("AMPHORA_LISTENERS_AMQP_PROT")
        .contains("AMPHORA_LISTENERS_AMQP_PORT");
    Map<String, String> others =
        Map.of(
            "PATH", "/bin",
            "AMPHORA_JAVA_OPTS", "-Xmx1g",
            "AMPHORA_ADMIN_URL", "http://x",
            "AMPHORA_SERVICE_HOST", "10.0.0.1",
            "AMPHORA_SERVICE_PORT_AMQP", "5672",
            "AMPHORA_PORT", "tcp://10.0.0.1:5672",
            "AMPHORA_PORT_5672_TCP_ADDR", "10.0.0.1");
    Config config =
        ConfigLoader.load(new ConfigLoader.Sources(Optional.empty(), others, List.of()));
    assertThat(config.settings().values()).allMatch(value -> value.source().equals("default"));
  }

  @Test
  void shouldNeverShowASecret() throws Exception {
    Config config =
        ConfigLoader.load(
            new ConfigLoader.Sources(
                Optional.empty(),
                Map.of("AMPHORA_AUTH_PASSWORD", "hunter2"),
                List.of("auth.user=admin")));
    assertThat(config.get(AuthKeys.PASSWORD)).isEqualTo("hunter2");
    assertThat(config.toString()).doesNotContain("hunter2").contains("admin");
    assertThat(config.shown().get("auth.password").text()).isEqualTo("********");
  }

  @Test
  void shouldAskForTheOtherHalfOfUserAndPassword() {
    assertThat(problems(Optional.empty(), NO_ENVIRONMENT, "auth.user=admin"))
        .singleElement()
        .asString()
        .startsWith("auth.password");
    assertThat(problems(Optional.empty(), NO_ENVIRONMENT, "auth.password=secret"))
        .singleElement()
        .asString()
        .startsWith("auth.user")
        .doesNotContain("secret");
  }

  @Test
  void shouldLookForTheFileHereThenInTheInstallation() throws IOException {
    Path here = dir.resolve("here");
    Path home = dir.resolve("home");
    Path installed = Files.createDirectories(home.resolve("conf")).resolve("amphora.yaml");
    Files.writeString(installed, "");
    assertThat(ConfigLoader.defaultFile(here, Optional.empty())).isEmpty();
    assertThat(ConfigLoader.defaultFile(here, Optional.of(home))).contains(installed);
    Path local = Files.createDirectories(here.resolve("conf")).resolve("amphora.yaml");
    Files.writeString(local, "");
    assertThat(ConfigLoader.defaultFile(here, Optional.of(home))).contains(local);
  }
}
