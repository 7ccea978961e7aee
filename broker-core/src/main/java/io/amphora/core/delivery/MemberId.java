package io.amphora.core.delivery;

/**
 * Who receives.
 *
 * @param containerId AMQP container id of the client
 * @param linkName name of the receiver link
 * @param instance makes two links with equal names different
 */
public record MemberId(String containerId, String linkName, long instance) {}
