package io.amphora.amqp.link;

import io.amphora.core.topology.TopicName;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads addresses (amqp-mapping section 1). Percent-encoding is decoded once. Pure. */
final class AddressResolver {

  private static final String GROUP_SEPARATOR = "::";
  private static final String SUBSCRIPTIONS = "/Subscriptions/";
  private static final String PARTITIONS = "/Partitions/";
  private static final String CONSUMER_GROUPS = "/ConsumerGroups/";
  private static final List<String> NODES = List.of("$management", "$cbs", "/management");

  private AddressResolver() {}

  static Address resolve(String raw) {
    if (NODES.contains(raw) || raw.endsWith("/$management")) {
      return new Address.Unserved("node " + raw + " is not served");
    }
    for (Alias alias : Alias.values()) {
      if (raw.startsWith(alias.prefix)) {
        return decoded(raw.substring(alias.prefix.length()), alias.kind);
      }
    }
    // Azure clients send the path of a URI, with its slash.
    return decoded(raw.startsWith("/") ? raw.substring(1) : raw, Address.Kind.UNSAID);
  }

  private enum Alias {
    QUEUES("/queues/", Address.Kind.QUEUE),
    TOPICS("/topics/", Address.Kind.TOPIC),
    QUEUE_SCHEME("queue://", Address.Kind.QUEUE),
    TOPIC_SCHEME("topic://", Address.Kind.TOPIC);

    private final String prefix;
    private final Address.Kind kind;

    Alias(String prefix, Address.Kind kind) {
      this.prefix = prefix;
      this.kind = kind;
    }
  }

  private static Address decoded(String encoded, Address.Kind kind) {
    String name;
    try {
      name = decode(encoded);
    } catch (CharacterCodingException e) {
      return new Address.Illegal("malformed percent-encoding in address " + encoded);
    }
    int group = name.indexOf(GROUP_SEPARATOR);
    if (group >= 0) {
      return group(name.substring(0, group), name.substring(group + 2), false);
    }
    if (name.contains(CONSUMER_GROUPS)) {
      return new Address.Unserved("readers of single partitions are not served yet");
    }
    int subscription = name.indexOf(SUBSCRIPTIONS);
    if (subscription > 0) {
      String rest = name.substring(subscription + SUBSCRIPTIONS.length());
      return group(name.substring(0, subscription), rest, true);
    }
    int partition = name.lastIndexOf(PARTITIONS);
    if (partition > 0) {
      return partition(
          name.substring(0, partition), name.substring(partition + PARTITIONS.length()));
    }
    String problem = problem(name);
    return problem.isEmpty() ? new Address.Topic(name, kind) : new Address.Illegal(problem);
  }

  private static Address group(String topic, String group, boolean shared) {
    String problem = problem(topic);
    if (!problem.isEmpty()) {
      return new Address.Illegal(problem);
    }
    if (group.isEmpty() || group.contains(GROUP_SEPARATOR) || hasControl(group)) {
      return new Address.Illegal("illegal group name in the address");
    }
    return new Address.Group(topic, group, shared);
  }

  private static Address partition(String topic, String number) {
    String problem = problem(topic);
    if (!problem.isEmpty()) {
      return new Address.Illegal(problem);
    }
    if (!number.matches("[0-9]{1,5}")) {
      return new Address.Illegal("illegal partition number in the address");
    }
    return new Address.Partition(topic, Integer.parseInt(number));
  }

  /** Why the name is not legal for a topic; empty when it is. */
  private static String problem(String name) {
    return TopicName.problemOfAny(name).orElse("");
  }

  private static boolean hasControl(String name) {
    return name.chars().anyMatch(Character::isISOControl);
  }

  private static String decode(String encoded) throws CharacterCodingException {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    byte[] raw = encoded.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] != '%') {
        bytes.write(raw[i]);
        continue;
      }
      int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
      int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new CharacterCodingException();
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes.toByteArray()))
        .toString();
  }
}
