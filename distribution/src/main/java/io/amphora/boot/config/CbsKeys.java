package io.amphora.boot.config;

import io.amphora.amqp.node.CbsOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of tokens that clients put to {@code $cbs}, as Azure's do. */
public final class CbsKeys {

  public static final ConfigKey<Choice> ENABLED =
      ConfigKey.of(
          "cbs.enabled",
          ValueTypes.SWITCH,
          "auto",
          "Whether clients may put tokens to `$cbs`; `auto`: on a listener where nobody needs a"
              + " user, and everywhere once there are keys. On a listener that asks for a user, a"
              + " token is one: it permits what it was signed for until it expires.");

  public static final ConfigKey<List<String>> KEYS_BY_NAME =
      ConfigKey.secret(
          "cbs.keys",
          ValueTypes.list("[^=,]+=[^,]+", "name=key, several separated by commas"),
          "",
          "Shared access keys that sign tokens. Without any, a listener where nobody needs a user"
              + " takes every token, as Azure's emulators do, and another one takes none.");

  static final List<ConfigKey<?>> KEYS = List.of(ENABLED, KEYS_BY_NAME);

  private CbsKeys() {}

  /** The room's record. */
  public static CbsOptions cbsOptions(Config config) {
    Map<String, String> keys = new HashMap<>();
    for (String pair : config.get(KEYS_BY_NAME)) {
      int equals = pair.indexOf('=');
      keys.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    Choice choice = config.get(ENABLED);
    Optional<Boolean> enabled =
        choice == Choice.AUTO ? Optional.empty() : Optional.of(choice == Choice.ON);
    return new CbsOptions(enabled, Map.copyOf(keys));
  }
}
