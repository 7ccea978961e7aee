package io.amphora.core.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Which names of groups are legal. They stand in the topology document, and container ids and link
 * names of clients become part of them: both may be as long as a frame. Pure.
 */
public final class GroupName {

  /** Longest name, UTF-8 bytes: a topic, and three times as much for who reads it. */
  public static final int MAX_BYTES = 4 * TopicName.MAX_BYTES;

  private GroupName() {}

  /** Why there can be no such group; empty when there can. */
  public static Optional<String> problem(String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return Optional.of("the name of the group is longer than " + MAX_BYTES + " UTF-8 bytes");
    }
    return name.codePoints().anyMatch(Character::isISOControl)
        ? Optional.of("the name of the group holds a control character")
        : Optional.empty();
  }
}
