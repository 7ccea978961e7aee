package io.amphora.amqp.address;

import io.amphora.core.topology.TopicName;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads addresses (docs/amqp.md section 1). Percent-encoding is decoded once. Pure. */
public final class AddressResolver {

  private static final String GROUP_SEPARATOR = "::";
  private static final String QUEUE = "$queue";
  private static final Pattern READER = form("(.+?)/ConsumerGroups/(.+)/Partitions/(.*)");
  private static final Pattern SUBSCRIPTION = form("(.+?)/Subscriptions/(.*)");
  private static final Pattern PARTITION = form("(.+)/Partitions/(.*)");
  private static final String DEAD_LETTERS = "/$deadletterqueue";
  private static final List<String> NODES = List.of("$management", "$cbs", "/management");

  private AddressResolver() {}

  private static Pattern form(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  /** What the address of a terminus, or a message's {@code to}, names. */
  public static Address resolve(String raw) {
    if (NODES.contains(raw) || raw.endsWith("/$management")) {
      return new Address.Unserved("node " + raw + " is not served");
    }
    if (raw.startsWith("/exchanges/")) {
      return new Address.Unserved("there are no exchanges here: send to /queues/<name>");
    }
    if (raw.toLowerCase(Locale.ROOT).endsWith(DEAD_LETTERS)) {
      return new Address.Unserved(
          "dead letters have no queue: they stay parked in their log and are listed by REST");
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
      return queueOr(group(name.substring(0, group), name.substring(group + 2), false));
    }
    Matcher reader = READER.matcher(name);
    if (reader.matches()) {
      return reader(group(reader.group(1), reader.group(2), false), reader.group(3));
    }
    Matcher subscription = SUBSCRIPTION.matcher(name);
    if (subscription.matches()) {
      return queueOr(group(subscription.group(1), subscription.group(2), true));
    }
    Matcher partition = PARTITION.matcher(name);
    if (partition.matches()) {
      return partition(partition.group(1), partition.group(2));
    }
    String problem = problem(name);
    return problem.isEmpty() ? new Address.Topic(name, kind) : new Address.Illegal(problem);
  }

  /** The name under which the queue of a topic is shown never means a second group beside it. */
  private static Address queueOr(Address address) {
    return address instanceof Address.Group group && group.group().equals(QUEUE)
        ? new Address.Topic(group.topic(), Address.Kind.QUEUE)
        : address;
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

  private static Address reader(Address scope, String number) {
    if (!(scope instanceof Address.Group group)) {
      return scope;
    }
    Address partition = partition(group.topic(), number);
    return partition instanceof Address.Partition one
        ? new Address.Reader(one.topic(), group.group(), one.number())
        : partition;
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
