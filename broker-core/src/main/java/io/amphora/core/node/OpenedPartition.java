package io.amphora.core.node;

import io.amphora.core.partition.LocalPartition;

/**
 * A hosted partition whose log is open.
 *
 * @param partition it
 * @param lastEpoch leader epoch of the last batch in its log, 0 when it has none
 */
record OpenedPartition(LocalPartition partition, int lastEpoch) {}
