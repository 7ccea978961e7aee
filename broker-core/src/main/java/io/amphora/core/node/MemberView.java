package io.amphora.core.node;

import io.amphora.core.delivery.MemberId;
import java.util.List;

/**
 * A member of a group, for people.
 *
 * @param id who
 * @param topic topic it subscribed to
 * @param partitions partitions it is served from; empty while it waits
 */
public record MemberView(MemberId id, String topic, List<Integer> partitions) {}
