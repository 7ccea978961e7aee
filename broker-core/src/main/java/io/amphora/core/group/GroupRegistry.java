package io.amphora.core.group;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.node.MemberView;
import io.amphora.core.node.NodeServices;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups with members on this node. Owned by the control loop. A group is one thing over all
 * topics (links to {@code a::g} and {@code b::g} are members of {@code g}); its members are kept
 * per topic. An ephemeral group has one member and is never written down.
 */
public final class GroupRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRegistry.class);

  /** Longest name of a group, UTF-8 bytes: it is part of the topology, which must stay readable. */
  private static final int NAME_BYTES = 2048;

  private record Key(UUID groupId, UUID topicId) {}

  private final NodeServices services;
  private final Map<Key, TopicGroup> topicGroups = new LinkedHashMap<>();
  private final Map<GroupMember, TopicGroup> homes = new HashMap<>();
  private final Set<GroupMember> joining = new HashSet<>();
  private final Subscriptions subscriptions = new Subscriptions();
  private final Consumer<GroupInfo> onDeleted;
  private boolean stopping;

  /**
   * @param onDeleted told of each group that is deleted; it has no members any more
   */
  public GroupRegistry(NodeServices services, Consumer<GroupInfo> onDeleted) {
    this.services = services;
    this.onDeleted = onDeleted;
  }

  /** A member comes. */
  public void join(GroupMember member) {
    if (stopping) {
      member.refuse(shuttingDown());
      return;
    }
    SubscribeRequest request = member.request();
    Optional<TopicInfo> topic = topic(member);
    if (topic.isEmpty() || isTooLong(member)) {
      return;
    }
    GroupInfo wanted = wantedBy(request);
    Optional<BrokerException> conflict =
        subscriptions.conflict(wanted, services.topology(), this::isUsed);
    if (conflict.isPresent()) {
      member.refuse(conflict.get());
    } else if (wanted.isEphemeral()) {
      enter(member, topic.get(), subscriptions.enter(wanted));
    } else {
      joining.add(member);
      List<GroupInfo> replaced = subscriptions.replacedBy(wanted, services.topology());
      ensure(member, wanted, replaced.iterator());
    }
  }

  private static GroupInfo wantedBy(SubscribeRequest request) {
    return new GroupInfo(
        request.group(),
        UUID.randomUUID(),
        request.mode(),
        request.start() instanceof StartPosition.Latest);
  }

  /** Deletes what the group takes the place of, then creates or finds it. */
  private void ensure(GroupMember member, GroupInfo wanted, Iterator<GroupInfo> replaced) {
    if (!replaced.hasNext()) {
      services.ensureGroup(wanted, reply -> onGroup(member, reply));
      return;
    }
    delete(
        replaced.next().name(),
        reply -> {
          if (reply instanceof Reply.Failed<GroupInfo> failed
              && failed.error().code() != ErrorCode.NOT_FOUND) {
            onGroup(member, reply);
          } else if (joining.contains(member)) {
            ensure(member, wanted, replaced);
          }
        });
  }

  /**
   * Deletes a group that nobody uses, with its positions. Who joins a group of this name later gets
   * another one, which starts afresh (safety rule 18).
   *
   * @param done gets {@code RESOURCE_LOCKED} while the group has members, {@code NOT_FOUND} when
   *     there is none; called on the control loop
   */
  public void delete(String name, Consumer<Reply<GroupInfo>> done) {
    GroupInfo group = services.topology().groups().get(name);
    if (isUsed(name)) {
      done.accept(
          Reply.failed(
              ErrorCode.RESOURCE_LOCKED, name + " is in use: close its consumers, then try again"));
    } else if (group == null) {
      done.accept(Reply.failed(ErrorCode.NOT_FOUND, "there is no group " + name));
    } else {
      // What members that left held is on its way back: wait, then look again.
      homesOf(name)
          .findFirst()
          .ifPresentOrElse(
              home -> home.whenEmpty(() -> delete(name, done)), () -> remove(group, done));
    }
  }

  /** Who joins from now on waits behind this change, and finds no such group. */
  private void remove(GroupInfo group, Consumer<Reply<GroupInfo>> done) {
    services.removeGroup(
        group.name(),
        reply -> {
          if (reply instanceof Reply.Failed<String> failed) {
            done.accept(new Reply.Failed<>(failed.error()));
            return;
          }
          LOG.info("group {} deleted", group.name());
          onDeleted.accept(group);
          done.accept(Reply.ok(group));
        });
  }

  private boolean isUsed(String name) {
    return joining.stream().anyMatch(member -> member.request().group().equals(name))
        || homesOf(name).anyMatch(home -> !home.members().isEmpty());
  }

  private Stream<TopicGroup> homesOf(String name) {
    return topicGroups.values().stream().filter(home -> home.group().name().equals(name));
  }

  private static boolean isTooLong(GroupMember member) {
    int bytes = member.request().group().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > NAME_BYTES) {
      member.refuse(
          new BrokerException(
              ErrorCode.INVALID_FIELD,
              "the name of the group has " + bytes + " bytes, more than " + NAME_BYTES));
    }
    return bytes > NAME_BYTES;
  }

  private Optional<TopicInfo> topic(GroupMember member) {
    String name = member.request().topic();
    Optional<TopicInfo> topic = Optional.ofNullable(services.topology().topics().get(name));
    if (topic.isEmpty()) {
      member.refuse(new BrokerException(ErrorCode.NOT_FOUND, "there is no topic " + name));
    } else if (topic.get().isInternal()) {
      member.refuse(
          new BrokerException(ErrorCode.NOT_ALLOWED, name + " belongs to the broker itself"));
      return Optional.empty();
    }
    return topic;
  }

  private void onGroup(GroupMember member, Reply<GroupInfo> reply) {
    if (!joining.remove(member)) {
      return;
    }
    if (stopping) {
      member.refuse(shuttingDown());
    } else if (reply instanceof Reply.Failed<GroupInfo> failed) {
      member.refuse(failed.error());
    } else {
      // The topic may have been deleted meanwhile; and the mode is the group's, not the request's.
      // Of two that create a subscription at the same time, one may be shared and one not.
      subscriptions
          .conflict(wantedBy(member.request()), services.topology(), this::isUsed)
          .ifPresentOrElse(
              member::refuse,
              () -> topic(member).ifPresent(topic -> enter(member, topic, reply.orThrow())));
    }
  }

  private void enter(GroupMember member, TopicInfo topic, GroupInfo group) {
    TopicGroup home =
        topicGroups.computeIfAbsent(
            new Key(group.id(), topic.id()), key -> new TopicGroup(topic, group));
    homes.put(member, home);
    LOG.info("{} joins group {} on {}", member.request().member(), group.name(), topic.name());
    home.members().stream()
        .filter(other -> member.request().isSameLink(other.request()))
        .forEach(GroupRegistry::steal);
    home.join(member);
  }

  /** It leaves as soon as it hears of it, and what it holds goes to who comes next. */
  private static void steal(GroupMember from) {
    LOG.info("{} was attached again, the newer one goes on", from.request().member());
    from.refuse(
        new BrokerException(ErrorCode.LINK_STOLEN, "the link was attached again elsewhere"));
  }

  /** A member is gone, by its own wish or by ours. Unknown members are ignored. */
  public void leave(GroupMember member) {
    joining.remove(member);
    TopicGroup home = homes.remove(member);
    if (home == null) {
      return;
    }
    LOG.info(
        "{} leaves group {} on {}",
        member.request().member(),
        home.group().name(),
        home.topic().name());
    Key key = new Key(home.group().id(), home.topic().id());
    home.leave(
        member,
        () -> {
          topicGroups.remove(key, home);
          subscriptions.onEmpty(home.group());
        });
  }

  /** Its members cannot go on. */
  public void onTopicDeleted(TopicInfo topic) {
    BrokerException reason =
        new BrokerException(ErrorCode.RESOURCE_DELETED, "topic " + topic.name() + " was deleted");
    for (TopicGroup home : List.copyOf(topicGroups.values())) {
      if (home.topic().id().equals(topic.id())) {
        home.members().forEach(member -> member.refuse(reason));
      }
    }
  }

  /** Members by group; a waiting member has no partitions. */
  public Map<GroupInfo, List<MemberView>> views() {
    Map<GroupInfo, List<MemberView>> views = new LinkedHashMap<>();
    for (TopicGroup home : topicGroups.values()) {
      views.computeIfAbsent(home.group(), group -> new ArrayList<>()).addAll(home.views());
    }
    return views;
  }

  /** All members are detached; nobody joins any more. */
  public void stop() {
    stopping = true;
    homes.keySet().forEach(member -> member.refuse(shuttingDown()));
  }

  private static BrokerException shuttingDown() {
    return new BrokerException(ErrorCode.SHUTTING_DOWN, "the broker is stopping");
  }
}
