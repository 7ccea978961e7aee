package io.amphora.boot.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The reference page {@code docs/configuration.md}, made from the table. */
public final class ConfigReference {

  private static final String HEAD =
      """
      # Configuration

      <!-- Generated from the tables in io.amphora.boot.config. Do not edit: change the table, then run
           `mvn -pl distribution -am test -Dconfig.reference.write=true`. -->

      Every setting can be given in four ways; the first one found counts:

      1. `amphora start --set listeners.amqp.port=5673` (repeatable; `--data DIR` is short for `data.dir`),
      2. the environment variable, `AMPHORA_LISTENERS_AMQP_PORT=5673`,
      3. the YAML file named with `--config FILE` or `AMPHORA_CONFIG`, else `conf/amphora.yaml` in the working
         directory, else the one of the installation; nested or dotted, as you like,
      4. the default below: `amphora start` needs no file at all.

      Sizes are written `512B`, `64KiB`, `64MiB`, `1GiB` (or `KB`, `MB`, `GB` for powers of ten), durations
      `100ms`, `10s`, `5m`, `2h`, `14d`. An unknown key or a value that is not allowed refuses the start with
      exit code 2, naming the key, the file and line, and what is allowed. `amphora config show` prints the
      effective values and where each comes from; `amphora config validate` only checks them.
      """;

  private ConfigReference() {}

  /** The whole page. */
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    for (ConfigKeys.Room room : ConfigKeys.ROOMS) {
      page.append("\n## ").append(room.title()).append("\n\n");
      page.append("| Key | Default | Allowed | Meaning |\n|---|---|---|---|\n");
      room.keys().forEach(key -> page.append(row(key)));
    }
    return page.toString();
  }

  /** Writes the page. */
  public static void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, markdown());
  }

  private static String row(ConfigKey<?> key) {
    String fallback = key.fallback().isEmpty() ? "(none)" : "`" + key.fallback() + "`";
    return "| `%s`<br>`%s` | %s | %s | %s |\n"
        .formatted(key.name(), key.variable(), fallback, key.type().allowed(), key.doc());
  }
}
