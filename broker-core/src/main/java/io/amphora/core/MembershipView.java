package io.amphora.core;

import java.util.List;

/**
 * The members of the cluster at one moment.
 *
 * @param self id of this broker
 * @param controllerCandidate id of the oldest member: it tries to be controller
 * @param members ids of all members, oldest first
 */
public record MembershipView(String self, String controllerCandidate, List<String> members) {}
