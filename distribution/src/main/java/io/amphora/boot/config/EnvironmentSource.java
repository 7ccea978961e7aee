package io.amphora.boot.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds settings among the environment variables: {@code AMPHORA_LISTENERS_AMQP_PORT=5673}. */
final class EnvironmentSource {

  /** Read by the launcher, the logging set-up or the commands; no settings of the broker. */
  private static final Set<String> OTHERS =
      Set.of(
          "AMPHORA_HOME",
          "AMPHORA_CONFIG",
          "AMPHORA_JAVA_OPTS",
          "AMPHORA_MAVEN_OPTS",
          "AMPHORA_LOG_LEVEL",
          "AMPHORA_ADMIN_URL",
          "AMPHORA_AMQP_URL");

  /**
   * A Kubernetes service called "amphora" puts these into every container of its namespace; they
   * are nobody's typing error.
   */
  private static final Pattern KUBERNETES =
      Pattern.compile("AMPHORA_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP)(_.*)?)");

  private EnvironmentSource() {}

  /** Settings in alphabetical order; a variable that looks like ours but is not has no key. */
  static List<RawSetting> read(Map<String, String> environment) {
    Map<String, String> names =
        ConfigKeys.ALL.stream().collect(Collectors.toMap(ConfigKey::variable, ConfigKey::name));
    List<RawSetting> settings = new ArrayList<>();
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              String key = names.get(variable);
              if (key != null) {
                settings.add(new RawSetting(key, value, "environment " + variable));
              } else if (looksLikeOurs(variable, value)) {
                settings.add(new RawSetting(variable, value, "environment"));
              }
            });
    return settings;
  }

  private static boolean looksLikeOurs(String variable, String value) {
    return variable.startsWith("AMPHORA_")
        && !OTHERS.contains(variable)
        && !KUBERNETES.matcher(variable).matches()
        && !value.matches("(tcp|udp)://.*");
  }
}
