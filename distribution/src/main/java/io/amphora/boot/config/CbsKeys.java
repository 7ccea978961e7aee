package io.amphora.boot.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settings of the signatures that Azure's clients put on {@code $cbs}. */
public final class CbsKeys {

  public static final ConfigKey<List<String>> SHARED =
      ConfigKey.secret(
          "cbs.keys",
          ValueTypes.list("[^=,]+=[^,]+", "name=key, several separated by commas"),
          "",
          "Shared access keys that sign tokens. Without any, a listener where anonymous clients"
              + " may come takes every signature, as Azure's emulators do, and another one takes"
              + " none. On such a one a signature permits what it was made for until it expires.");

  static final List<ConfigKey<?>> KEYS = List.of(SHARED);

  private CbsKeys() {}

  /** The keys by name. */
  public static Map<String, String> shared(Config config) {
    Map<String, String> keys = new HashMap<>();
    for (String pair : config.get(SHARED)) {
      int equals = pair.indexOf('=');
      keys.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return Map.copyOf(keys);
  }
}
