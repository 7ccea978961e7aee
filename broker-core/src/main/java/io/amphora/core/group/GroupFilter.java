package io.amphora.core.group;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.filter.MemberFilter;
import io.amphora.core.topology.GroupInfo;

/** Whether a member may join a group whose filter belongs to the group. Pure. */
final class GroupFilter {

  private GroupFilter() {}

  /** The filter that a group has when this request creates it. */
  static String of(SubscribeRequest request) {
    MemberFilter filter = request.options().filter();
    return filter.scope() == MemberFilter.Scope.GROUP ? filter.text() : "";
  }

  /** False when the request means a subscription, and the group is one with another filter. */
  static boolean fits(SubscribeRequest request, GroupInfo group) {
    return request.options().filter().scope() == MemberFilter.Scope.MEMBER
        || of(request).equals(group.filter());
  }

  static BrokerException inUse(GroupInfo group) {
    return new BrokerException(
        ErrorCode.PRECONDITION_FAILED,
        "subscription %s is in use with another filter: '%s'"
            .formatted(group.name(), group.filter()));
  }
}
