package io.amphora.amqp.node;

/**
 * Settings of a listener that matter to the nodes.
 *
 * @param anonymous whether clients may do everything without a user
 * @param autoCreate whether clients may create topics by naming them
 * @param cbs tokens
 */
public record NodeOptions(boolean anonymous, boolean autoCreate, CbsOptions cbs) {}
