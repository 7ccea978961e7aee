package io.amphora.boot.cli;

import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigException;
import io.amphora.boot.config.ConfigLoader;
import io.amphora.boot.config.StorageKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that choose the configuration of a broker. */
public final class ConfigOptions {

  /** Where the launcher says the installation is. */
  private static final String HOME = "amphora.home";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file; else AMPHORA_CONFIG, else conf/amphora.yaml here or in the installation.")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory (data.dir).")
  private Optional<String> data = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets one key; repeatable. `amphora config show` lists the keys.")
  private List<String> overrides = new ArrayList<>();

  /**
   * The effective configuration.
   *
   * @throws ConfigException when anything is unknown or not allowed
   */
  public Config load() throws ConfigException {
    return load(System.getenv(), Path.of(""), System.getProperty(HOME, ""));
  }

  private Config load(Map<String, String> environment, Path workingDir, String home)
      throws ConfigException {
    List<String> all = new ArrayList<>(overrides);
    data.ifPresent(dir -> all.add(StorageKeys.DATA_DIR.name() + "=" + dir));
    Optional<Path> named =
        file.or(() -> Optional.ofNullable(environment.get("AMPHORA_CONFIG")).map(Path::of));
    Optional<Path> installation = home.isEmpty() ? Optional.empty() : Optional.of(Path.of(home));
    Optional<Path> chosen = named.or(() -> ConfigLoader.defaultFile(workingDir, installation));
    return ConfigLoader.load(new ConfigLoader.Sources(chosen, environment, all));
  }
}
