package io.amphora.core.partition;

import io.amphora.core.Loop;
import io.amphora.wal.RecordBatchBuilder;
import java.util.function.BiConsumer;

/**
 * Records to append as one batch. After it is handed over, the builder belongs to the partition.
 *
 * @param records at least one record
 * @param acks when to answer; with {@link Acks#NONE} refusals are still answered
 * @param owner loop on which the answer arrives
 * @param done gets the request and the result, once
 */
public record AppendRequest(
    RecordBatchBuilder records,
    Acks acks,
    Loop owner,
    BiConsumer<AppendRequest, AppendResult> done) {}
