package io.amphora.core.partition;

import io.amphora.wal.RecordBatch;
import java.util.List;

/**
 * Committed batches in order, control batches included.
 *
 * @param batches may start before the asked offset (the batch that holds it); empty at the end
 * @param logStart first offset that exists
 * @param highWatermark end of what is visible
 */
public record ReadSlice(List<RecordBatch> batches, long logStart, long highWatermark) {}
