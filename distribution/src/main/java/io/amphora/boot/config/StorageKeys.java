package io.amphora.boot.config;

import java.nio.file.Path;
import java.util.List;

/** Settings of the store. */
public final class StorageKeys {

  public static final ConfigKey<String> DATA_DIR =
      ConfigKey.of(
          "data.dir",
          ValueTypes.matching(".+", "a directory"),
          "data",
          "Directory of all logs; made when it is missing. One broker at a time may use it. Short"
              + " form: `--data DIR`.");

  public static final ConfigKey<Long> DISK_RESERVE =
      ConfigKey.of(
          "disk.reserve",
          ValueTypes.bytes("1MiB", "1TiB"),
          "256MiB",
          "Free space below which producers get no credit; consumers go on.");

  static final List<ConfigKey<?>> KEYS = List.of(DATA_DIR, DISK_RESERVE);

  private StorageKeys() {}

  /** The data directory, absolute. */
  public static Path dataDir(Config config) {
    return Path.of(config.get(DATA_DIR)).toAbsolutePath().normalize();
  }
}
