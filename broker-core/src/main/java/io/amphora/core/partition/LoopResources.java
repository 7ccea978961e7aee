package io.amphora.core.partition;

import io.amphora.core.CoreMetrics;
import io.amphora.core.FaultHandler;
import io.amphora.core.Loop;

/**
 * What the partitions of one loop share.
 *
 * @param loop their owner
 * @param tail memory for recent batches, of this loop
 * @param coldReads reads from disk, of this loop
 * @param budget bytes in flight, of the node
 * @param alarm free disk space, of the node
 * @param faults who decides about faults
 * @param metrics figures
 */
public record LoopResources(
    Loop loop,
    TailMemory tail,
    ColdReads coldReads,
    AppendBudget budget,
    DiskAlarm alarm,
    FaultHandler faults,
    CoreMetrics metrics) {}
