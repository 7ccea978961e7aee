package io.amphora.boot.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the effective configuration: {@code --set} wins over the environment, that over the file,
 * that over the default. Whatever is unknown or not allowed refuses the whole configuration.
 */
public final class ConfigLoader {

  /**
   * Where to look.
   *
   * @param file the file; when it was named on the command line it has to exist
   * @param environment environment variables
   * @param overrides {@code key=value} of the command line, in order
   */
  public record Sources(
      Optional<Path> file, Map<String, String> environment, List<String> overrides) {}

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Config.Setting> settings = new LinkedHashMap<>();

  private ConfigLoader() {}

  /**
   * @throws ConfigException with one line for each thing that is wrong
   */
  public static Config load(Sources sources) throws ConfigException {
    ConfigLoader loader = new ConfigLoader();
    loader.defaults();
    if (sources.file().isPresent()) {
      loader.file(sources.file().get());
    }
    EnvironmentSource.read(sources.environment()).forEach(loader::apply);
    sources.overrides().forEach(loader::override);
    Config config = new Config(new LinkedHashMap<>(loader.settings));
    if (loader.problems.isEmpty()) {
      loader.checkTogether(config);
    }
    if (!loader.problems.isEmpty()) {
      throw new ConfigException(List.copyOf(loader.problems));
    }
    return config;
  }

  /**
   * The file that is read when none is named: {@code conf/amphora.yaml} here, else in the
   * installation, else none.
   */
  public static Optional<Path> defaultFile(Path workingDir, Optional<Path> home) {
    Path here = workingDir.resolve("conf").resolve("amphora.yaml");
    if (Files.isRegularFile(here)) {
      return Optional.of(here);
    }
    return home.map(dir -> dir.resolve("conf").resolve("amphora.yaml"))
        .filter(Files::isRegularFile);
  }

  private void defaults() {
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      settings.put(key.name(), new Config.Setting(key.fallback(), "default"));
    }
  }

  private void file(Path file) throws ConfigException {
    Map<String, String> seen = new HashMap<>();
    for (RawSetting raw : YamlSource.read(file)) {
      String before = seen.putIfAbsent(raw.key(), raw.source());
      if (before == null) {
        apply(raw);
      } else {
        problems.add(raw.source() + ": " + raw.key() + " is set twice, first at " + before);
      }
    }
  }

  private void override(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      problems.add("--set " + text + ": expected key=value");
    } else {
      apply(new RawSetting(text.substring(0, equals).strip(), text.substring(equals + 1), "--set"));
    }
  }

  private void apply(RawSetting raw) {
    Optional<ConfigKey<?>> key = ConfigKeys.find(raw.key());
    if (key.isEmpty()) {
      problems.add(
          raw.source()
              + ": unknown key "
              + raw.key()
              + "; allowed: "
              + ConfigKeys.suggestion(raw.key()));
      return;
    }
    try {
      key.get().type().parse(raw.text());
      settings.put(raw.key(), new Config.Setting(raw.text().strip(), raw.source()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      String shown = key.get().secret() ? "the value" : "'" + raw.text() + "'";
      problems.add(
          raw.source()
              + ": "
              + raw.key()
              + ": "
              + shown
              + " is not allowed; allowed: "
              + key.get().type().allowed());
    }
  }

  private void checkTogether(Config config) {
    boolean user = !config.get(AuthKeys.USER).isEmpty();
    boolean password = !config.get(AuthKeys.PASSWORD).isEmpty();
    if (user != password) {
      String missing = user ? AuthKeys.PASSWORD.name() : AuthKeys.USER.name();
      String given = user ? AuthKeys.USER.name() : AuthKeys.PASSWORD.name();
      problems.add(missing + ": missing; it is needed because " + given + " is set");
    }
  }
}
