package io.amphora.boot.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** Every link there is, on one topic and a topic of requests. Owned by the thread of the test. */
final class Cast {

  static final int PARTITIONS = 3;
  static final String CONTAINER = "kill";

  private static final String SUBSCRIPTION = "subscription";
  private static final int READERS = 3;

  private final TopicRecord main = new TopicRecord("chaos");
  private final TopicRecord requests = new TopicRecord("chaos-requests");
  private final List<ChaosLink> senders = new ArrayList<>();
  private final List<ChaosLink> receivers = new ArrayList<>();
  private final List<GroupOf> groups = new ArrayList<>();

  /**
   * A group, and who takes what is left for it.
   *
   * @param mayLose an at-most-once receiver loses what was on its way
   */
  record GroupOf(Group group, TopicRecord record, Taker rest, boolean mayLose) {}

  Cast() {
    String topic = main.topic();
    for (SenderKind kind : SenderKind.values()) {
      senders.add(new Publisher(kind, topic, main.sent()));
    }
    senders.add(new Requester(requests));
    addGroup("chaos::$queue", 2, Attachment.shared(topic, Reaction.MOODY));
    addGroup("ordered", 2, Attachment.ordered(topic + "::ordered"));
    addGroup("moody", 1, Attachment.shared(topic + "::moody", Reaction.MOODY_ALONE));
    addGroup("shared", 2, Attachment.shared(topic + "/Subscriptions/shared", Reaction.ACCEPT));
    addGroup("once", 1, Attachment.atMostOnce(topic + "::once"));
    addGroup(durableGroup(), 1, durable());
    Group second = addGroup("second", 0, Attachment.ordered(topic + "::second"));
    receivers.add(new SecondMode(topic + "::second", second, main));
    for (int i = 0; i < READERS; i++) {
      receivers.add(alone("reader " + i, random -> Attachment.reader(topic, PARTITIONS, random)));
    }
    receivers.add(alone("browser", random -> Attachment.browser(topic)));
    receivers.add(alone("browser of a group", random -> Attachment.browser(topic + "::ordered")));
    addResponder();
  }

  private String durableGroup() {
    return main.topic() + "::" + CONTAINER + "|" + SUBSCRIPTION;
  }

  Attachment durable() {
    return Attachment.durable(main.topic(), SUBSCRIPTION);
  }

  private Group addGroup(String name, int members, Attachment how) {
    Group group = new Group(name);
    Function<Random, Attachment> always = random -> copy(how);
    Optional<Group> member = Optional.of(group);
    for (int i = 0; i < members; i++) {
      receivers.add(new Taker(name + " " + i, always, member, main));
    }
    Taker rest = new Taker("rest of " + name, always, member, main);
    groups.add(new GroupOf(group, main, rest, how.reaction() == Reaction.NONE));
    return group;
  }

  /** Options are mutable. */
  private static Attachment copy(Attachment how) {
    return new Attachment(
        how.address(), how.options().clone(), how.sight(), how.start(), how.reaction());
  }

  private Taker alone(String name, Function<Random, Attachment> how) {
    return new Taker(name, how, Optional.empty(), main);
  }

  private void addResponder() {
    Group group = new Group(requests.topic() + "::$queue");
    Attachment how = Attachment.shared(requests.topic(), Reaction.ACCEPT);
    Taker rest = new Taker("rest of requests", random -> copy(how), Optional.of(group), requests);
    receivers.add(new Responder(requests, group));
    groups.add(new GroupOf(group, requests, rest, false));
  }

  /** Those that work in a round: about two of three, one sender at least. */
  List<ChaosLink> choose(Random random) {
    List<ChaosLink> chosen = new ArrayList<>(senders);
    chosen.addAll(receivers);
    chosen.removeIf(link -> random.nextInt(3) == 0);
    ChaosLink sender = senders.get(random.nextInt(senders.size()));
    if (!chosen.contains(sender)) {
      chosen.add(sender);
    }
    return chosen;
  }

  /** Reads all of a topic. */
  Taker everything(TopicRecord record) {
    return new Taker(
        "audit", random -> Attachment.everything(record.topic()), Optional.empty(), record);
  }

  List<TopicRecord> topics() {
    return Arrays.asList(main, requests);
  }

  List<GroupOf> groups() {
    return groups;
  }

  /** The topics are deleted: nothing that was known of them counts any more. */
  void clear() {
    topics().forEach(TopicRecord::clear);
    groups.forEach(g -> g.group().clear());
  }
}
