package io.amphora.boot.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The effective values, checked. Immutable.
 *
 * @param settings every key of {@link ConfigKeys#ALL}, in that order
 */
public record Config(Map<String, Setting> settings) {

  /**
   * One effective value.
   *
   * @param text as it was written
   * @param source where: {@code default}, file and line, variable or {@code --set}
   */
  public record Setting(String text, String source) {}

  /** The value of a key. */
  public <T> T get(ConfigKey<T> key) {
    Setting setting = settings.get(key.name());
    if (setting == null) {
      throw new IllegalStateException(key.name() + " is missing in ConfigKeys.ALL");
    }
    return key.type().parse(setting.text());
  }

  /** All values for people; secrets are masked. */
  public Map<String, Setting> shown() {
    Map<String, Setting> shown = new LinkedHashMap<>();
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      Setting setting = settings.get(key.name());
      if (setting != null) {
        shown.put(key.name(), key.secret() ? masked(setting) : setting);
      }
    }
    return shown;
  }

  /** Never prints a secret. */
  @Override
  public String toString() {
    return shown().toString();
  }

  private static Setting masked(Setting setting) {
    return setting.text().isEmpty() ? setting : new Setting("********", setting.source());
  }
}
