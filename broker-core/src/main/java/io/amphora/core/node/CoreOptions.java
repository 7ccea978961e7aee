package io.amphora.core.node;

import io.amphora.core.transaction.TransactionLimits;

/**
 * Limits and intervals of the core.
 *
 * @param appendBudgetBytes bytes appended but not answered, over all partitions; when used up
 *     appends are refused with {@code RESOURCE_LIMIT}
 * @param tailCacheBytes bytes of recent batches kept in memory, over all partitions
 * @param positionIntervalMillis how often changed positions are journaled, milliseconds
 * @param ackWindow most offsets a group may have in flight or done beyond its committed position,
 *     per partition
 * @param positionsPartitions partitions of {@code __positions} when it is created
 * @param retentionIntervalMillis how often retention is applied, milliseconds
 * @param transactions bounds of transactions
 */
public record CoreOptions(
    long appendBudgetBytes,
    long tailCacheBytes,
    long positionIntervalMillis,
    int ackWindow,
    int positionsPartitions,
    long retentionIntervalMillis,
    TransactionLimits transactions) {

  /** For a heap of 1 GiB. */
  public static final CoreOptions DEFAULT =
      new CoreOptions(128L << 20, 128L << 20, 100, 100_000, 1, 60_000, TransactionLimits.DEFAULT);
}
