package io.amphora.boot.config;

import io.amphora.amqp.token.JwtOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of bearer tokens: OAUTHBEARER, XOAUTH2 and {@code $cbs}. */
public final class JwtKeys {

  public static final ConfigKey<List<String>> KEY_FILES =
      ConfigKey.of(
          "auth.jwt.keys",
          ValueTypes.list("[^,]+", "files, separated by commas"),
          "",
          "Files with the public keys of whoever issues tokens: PEM (keys or certificates, RSA or"
              + " EC) or a JSON web key set. With keys or a secret, clients may log in with"
              + " OAUTHBEARER and XOAUTH2.");

  public static final ConfigKey<String> SECRET =
      ConfigKey.secret(
          "auth.jwt.secret",
          ValueTypes.text("nothing, or at least 32 bytes"),
          "",
          "Secret shared with whoever issues tokens, for HS256; HS384 takes 48 bytes, HS512 64.");

  public static final ConfigKey<String> ISSUER =
      ConfigKey.of(
          "auth.jwt.issuer",
          ValueTypes.text("a text"),
          "",
          "What the claim `iss` of a token has to be; nothing: it is not looked at.");

  public static final ConfigKey<List<String>> AUDIENCE =
      ConfigKey.of(
          "auth.jwt.audience",
          ValueTypes.list("[^,]+", "texts, separated by commas"),
          "",
          "One of these has to be in the claim `aud` of a token; nothing: it is not looked at.");

  public static final ConfigKey<String> USER_CLAIM =
      ConfigKey.of(
          "auth.jwt.user-claim",
          ValueTypes.matching("[^\\s]+", "the name of a claim"),
          "sub",
          "The claim of a token that names the user.");

  public static final ConfigKey<Long> CLOCK_SKEW =
      ConfigKey.of(
          "auth.jwt.clock-skew",
          ValueTypes.duration("0s", "10m"),
          "30s",
          "How far the clocks of the broker and of the issuer of tokens may differ.");

  public static final ConfigKey<Choice> CBS =
      ConfigKey.of(
          "cbs.enabled",
          ValueTypes.SWITCH,
          "auto",
          "Whether clients may come without a user, to put a token on `$cbs`; `auto`: where"
              + " anonymous clients may come. With `on` also elsewhere, when tokens can be"
              + " checked.");

  static final List<ConfigKey<?>> KEYS =
      List.of(KEY_FILES, SECRET, ISSUER, AUDIENCE, USER_CLAIM, CLOCK_SKEW, CBS);

  private JwtKeys() {}

  /** The files with keys. */
  public static List<Path> files(Config config) {
    return config.get(KEY_FILES).stream().map(Path::of).toList();
  }

  /** Which tokens are good; empty when none can be checked. */
  public static Optional<JwtOptions> options(Config config) {
    List<Path> files = files(config);
    Optional<String> secret = text(config, SECRET);
    if (files.isEmpty() && secret.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new JwtOptions(
            files,
            secret,
            text(config, ISSUER),
            config.get(AUDIENCE),
            config.get(USER_CLAIM),
            config.get(CLOCK_SKEW)));
  }

  private static Optional<String> text(Config config, ConfigKey<String> key) {
    return Optional.of(config.get(key)).filter(text -> !text.isEmpty());
  }
}
