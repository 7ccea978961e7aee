package io.amphora.wal;

import java.util.List;

/**
 * Batches read from a log, in order. The first batch contains the asked offset, or starts after it
 * when the offset was removed. Empty when the asked offset is the end.
 *
 * @param batches whole batches, and large ones head only; at least one when there is one, else up
 *     to the byte limit
 */
public record ReadResult(List<RecordBatch> batches) {}
