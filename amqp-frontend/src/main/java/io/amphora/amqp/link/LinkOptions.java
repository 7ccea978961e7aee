package io.amphora.amqp.link;

import io.amphora.amqp.open.SoleContainers;

/**
 * What links need to know of the listener's settings.
 *
 * @param brokerId id of this broker, announced as container-id and node
 * @param autoCreate whether an unknown topic is created when it is attached to
 * @param linkCredit credit given to a producer link
 * @param memory what the links of all connections hold
 * @param containers container ids of the connections that want to be alone with theirs
 */
public record LinkOptions(
    String brokerId,
    boolean autoCreate,
    int linkCredit,
    NodeMemory memory,
    SoleContainers containers) {}
