package io.amphora.core.filter;

/**
 * What a member wants of the messages of its group.
 *
 * @param text equal for filters that want the same; empty for all messages
 * @param scope whose filter it is
 * @param filter the decision
 */
public record MemberFilter(String text, Scope scope, RecordFilter filter) {

  /** Whose filter it is. */
  public enum Scope {
    /** The member's: others of the group may have others. */
    MEMBER,
    /** The group's: all members have the same, and another one makes it another group. */
    GROUP
  }

  /** All messages, whatever the others want. */
  public static final MemberFilter ALL = new MemberFilter("", Scope.MEMBER, candidate -> true);

  public boolean isAll() {
    return text.isEmpty();
  }

  public MemberFilter ofGroup() {
    return new MemberFilter(text, Scope.GROUP, filter);
  }
}
