package io.amphora.boot.config;

import java.util.List;
import java.util.Optional;

/** The whole table: the keys of every room, in the order of the reference page. */
public final class ConfigKeys {

  /** The rooms, in the order of the reference page. */
  static final List<Room> ROOMS =
      List.of(
          new Room("Storage", StorageKeys.KEYS),
          new Room("Listeners", ListenerKeys.KEYS),
          new Room("TLS", TlsKeys.KEYS),
          new Room("Who may connect", AuthKeys.KEYS),
          new Room("Bearer tokens", JwtKeys.KEYS),
          new Room("Topics", TopicKeys.KEYS),
          new Room("Memory and intervals", CoreKeys.KEYS),
          new Room("Broker and cluster", ClusterKeys.KEYS));

  /** Every key there is. */
  public static final List<ConfigKey<?>> ALL =
      ROOMS.stream().<ConfigKey<?>>flatMap(room -> room.keys().stream()).toList();

  private ConfigKeys() {}

  /** Keys that belong together, under one heading. */
  record Room(String title, List<ConfigKey<?>> keys) {}

  /** The key of that name. */
  public static Optional<ConfigKey<?>> find(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /** What a person who wrote an unknown name may have meant. */
  static String suggestion(String name) {
    if (name.startsWith("AMPHORA_")) {
      return variables(name);
    }
    String section = name.contains(".") ? name.substring(0, name.indexOf('.') + 1) : name + ".";
    List<String> near =
        ALL.stream().map(ConfigKey::name).filter(known -> known.startsWith(section)).toList();
    if (!near.isEmpty()) {
      return String.join(", ", near);
    }
    return "names that begin with "
        + String.join(
            ", ",
            ALL.stream()
                .map(key -> key.name().substring(0, key.name().indexOf('.') + 1))
                .distinct()
                .toList());
  }

  private static String variables(String name) {
    String section = name.substring(0, name.indexOf('_', "AMPHORA_".length()) + 1);
    List<String> near =
        ALL.stream()
            .map(ConfigKey::variable)
            .filter(known -> !section.isEmpty() && known.startsWith(section))
            .toList();
    return near.isEmpty()
        ? "AMPHORA_ and a key in capitals, dots as underscores (amphora config show)"
        : String.join(", ", near);
  }
}
