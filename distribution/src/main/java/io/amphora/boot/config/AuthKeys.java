package io.amphora.boot.config;

import java.util.List;

/** Settings about who may connect. */
public final class AuthKeys {

  public static final ConfigKey<Choice> ANONYMOUS =
      ConfigKey.of(
          "auth.anonymous",
          ValueTypes.SWITCH,
          "auto",
          "Whether AMQP clients and REST requests may come without a user; `auto`: only on a"
              + " listener whose host is a loopback address.");

  public static final ConfigKey<String> USER =
      ConfigKey.of(
          "auth.user",
          ValueTypes.matching("[A-Za-z0-9._@-]{0,128}", "a user name, or nothing"),
          "",
          "First administrator: made, or given the password below, at each start.");

  public static final ConfigKey<String> PASSWORD =
      ConfigKey.secret(
          "auth.password",
          ValueTypes.text("a password; needed when auth.user is set"),
          "",
          "Password of `auth.user`. Only a salted hash of it is kept.");

  static final List<ConfigKey<?>> KEYS = List.of(ANONYMOUS, USER, PASSWORD);

  private AuthKeys() {}
}
