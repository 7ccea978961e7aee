package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.amphora.amqp.server.LoginOptions;
import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginsTest {

  private static final String SECRET = "auth.jwt.secret=" + "s".repeat(32);
  private static final String STRICT = "auth.anonymous=off";

  private static Config config(String... settings) throws Exception {
    return ConfigLoader.load(
        new ConfigLoader.Sources(Optional.empty(), Map.of(), List.of(settings)));
  }

  private static LoginOptions read(String... settings) throws Exception {
    return Logins.read(config(settings), new FileWatch());
  }

  private static StartException refused(String... settings) {
    return catchThrowableOfType(StartException.class, () -> read(settings));
  }

  @Test
  void shouldTakeNoTokensUnlessToldHow() throws Exception {
    assertThat(read().tokens()).isEmpty();
    assertThat(read(SECRET).tokens()).isPresent();
  }

  @Test
  void shouldRefuseASecretThatIsTooShort() {
    assertThat(refused("auth.jwt.secret=short"))
        .hasMessageContaining("auth.jwt.secret")
        .hasMessageContaining("32 bytes");
  }

  @Test
  void shouldRefuseKeysThatCannotBeRead(@TempDir Path dir) throws Exception {
    Path missing = dir.resolve("missing");
    assertThat(refused("auth.jwt.keys=" + missing)).hasMessageContaining(missing.toString());
    Path empty = Files.createFile(dir.resolve("empty"));
    StartException refused = refused("auth.jwt.keys=" + empty);
    assertThat(refused).hasMessageContaining("auth.jwt.keys").hasMessageContaining("no public key");
    assertThat(refused.exitCode()).isEqualTo(2);
  }

  /** Else whoever comes as nobody could do everything. */
  @Test
  void shouldRefuseClaimsThatNothingCanCheck() throws Exception {
    assertThat(refused(STRICT, "cbs.enabled=on")).hasMessageContaining("cbs.enabled");
    assertThat(read(STRICT, "cbs.enabled=on", SECRET).hasClaims(false)).isTrue();
    assertThat(read(STRICT, SECRET).hasClaims(false)).isFalse();
    assertThat(read("cbs.enabled=off").hasClaims(true)).isFalse();
    assertThat(read().hasClaims(true)).isTrue();
  }
}
