package io.amphora.core.group;

import io.amphora.core.node.MemberView;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The members of one group on one topic, in the order in which they came. Owned by the control
 * loop. Shared: all are served from all partitions. Ordered: the first is; when it leaves and its
 * messages are back, the next takes over.
 */
final class TopicGroup {
  private final TopicInfo topic;
  private final GroupInfo group;
  private final Set<GroupMember> waiting = new LinkedHashSet<>();
  private final Set<GroupMember> active = new LinkedHashSet<>();
  private final List<Runnable> whenEmpty = new ArrayList<>();
  private int leaving;

  TopicGroup(TopicInfo topic, GroupInfo group) {
    this.topic = topic;
    this.group = group;
  }

  GroupInfo group() {
    return group;
  }

  TopicInfo topic() {
    return topic;
  }

  void join(GroupMember member) {
    if (isFree()) {
      activate(member);
    } else {
      waiting.add(member);
      member.standBy();
    }
  }

  private boolean isFree() {
    return group.mode() == GroupInfo.Mode.SHARED
        || (active.isEmpty() && leaving == 0 && waiting.isEmpty());
  }

  private void activate(GroupMember member) {
    active.add(member);
    member.assign(topic, group);
  }

  /**
   * @param empty called when nobody is left
   */
  void leave(GroupMember member, Runnable empty) {
    waiting.remove(member);
    if (active.remove(member)) {
      leaving++;
      member.withdraw(
          () -> {
            leaving--;
            activateNext();
            tellWhenEmpty(empty);
          });
    } else {
      tellWhenEmpty(empty);
    }
  }

  private void tellWhenEmpty(Runnable empty) {
    if (isEmpty()) {
      empty.run();
      List<Runnable> told = List.copyOf(whenEmpty);
      whenEmpty.clear();
      told.forEach(Runnable::run);
    }
  }

  /** Tells once, when the last member has left and what it held is back. */
  void whenEmpty(Runnable told) {
    whenEmpty.add(told);
  }

  private void activateNext() {
    if (!active.isEmpty() || leaving > 0) {
      return;
    }
    Optional<GroupMember> next = waiting.stream().findFirst();
    next.ifPresent(
        member -> {
          waiting.remove(member);
          activate(member);
        });
  }

  boolean isEmpty() {
    return waiting.isEmpty() && active.isEmpty() && leaving == 0;
  }

  List<GroupMember> members() {
    List<GroupMember> all = new ArrayList<>(active);
    all.addAll(waiting);
    return all;
  }

  private List<Integer> served(GroupMember member) {
    OptionalInt only = member.request().options().only();
    return only.isPresent()
        ? List.of(only.getAsInt())
        : IntStream.range(0, topic.partitions().size()).boxed().toList();
  }

  List<MemberView> views() {
    List<MemberView> views = new ArrayList<>();
    for (GroupMember member : active) {
      views.add(new MemberView(member.request().member(), topic.name(), served(member)));
    }
    for (GroupMember member : waiting) {
      views.add(new MemberView(member.request().member(), topic.name(), List.of()));
    }
    return views;
  }
}
