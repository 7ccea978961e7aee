package io.amphora.core.delivery;

import io.amphora.core.filter.MemberFilter;
import io.amphora.core.topology.GroupInfo;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a receiver link asks for.
 *
 * @param topic topic name
 * @param group group name; {@link #queueOf} for the topic's queue; empty for an ephemeral group of
 *     this member alone, which is gone when the member is; 2048 UTF-8 bytes at most
 * @param mode used when the group is created by this request
 * @param member who asks
 * @param start used when the group has no position on a partition
 * @param options how it receives
 */
public record SubscribeRequest(
    String topic,
    String group,
    GroupInfo.Mode mode,
    MemberId member,
    StartPosition start,
    Options options) {

  /**
   * How a member receives.
   *
   * @param atMostOnce deliveries are done when handed out (snd-settle-mode settled)
   * @param only the one partition it is served from, for ephemeral groups; empty for all
   * @param steals takes the place of a member that steals too and has its container and link name:
   *     it is the same link, attached again
   * @param filter what it wants of the messages
   * @param claim who else may read the one partition; empty when that is nobody's business
   */
  public record Options(
      boolean atMostOnce,
      OptionalInt only,
      boolean steals,
      MemberFilter filter,
      Optional<ReaderClaim> claim) {
    public static final Options DEFAULT = new Options(false);

    /** Of all partitions. */
    public Options(boolean atMostOnce) {
      this(atMostOnce, OptionalInt.empty());
    }

    /** One that goes its own way whatever its name is. */
    public Options(boolean atMostOnce, OptionalInt only) {
      this(atMostOnce, only, false, MemberFilter.ALL, Optional.empty());
    }

    public Options stealing() {
      return new Options(atMostOnce, only, true, filter, claim);
    }

    public Options wanting(MemberFilter wanted) {
      return new Options(atMostOnce, only, steals, wanted, claim);
    }

    public Options claiming(ReaderClaim wanted) {
      return new Options(atMostOnce, only, steals, filter, Optional.of(wanted));
    }
  }

  /** True when the other request is made for the same link, attached before (docs/amqp.md 2). */
  public boolean isSameLink(SubscribeRequest other) {
    return options.steals()
        && other.options.steals()
        && member.containerId().equals(other.member.containerId())
        && member.linkName().equals(other.member.linkName());
  }

  /** Name of the shared group that makes a topic behave as a queue. */
  public static String queueOf(String topic) {
    return topic + "::$queue";
  }
}
