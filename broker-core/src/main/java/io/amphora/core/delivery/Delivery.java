package io.amphora.core.delivery;

import io.amphora.wal.LogRecord;

/**
 * A record on its way to a consumer. With an at-most-once member it is already done.
 *
 * @param partition where it comes from
 * @param record the record; its offset is {@code record.offset()}
 * @param attempts failed deliveries so far (the AMQP header's delivery-count)
 * @param firstAcquirer true when it was never given to anybody before, as far as is known
 * @param annotations encoded map from a {@code modified} outcome to merge, maybe empty
 */
public record Delivery(
    int partition, LogRecord record, int attempts, boolean firstAcquirer, byte[] annotations) {}
