package io.amphora.core.delivery;

/**
 * A consumer's word on one delivery.
 *
 * @param partition partition of the delivery
 * @param offset its offset
 * @param outcome what to do with it
 */
public record Settlement(int partition, long offset, Outcome outcome) {}
