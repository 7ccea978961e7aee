package io.amphora.amqp.link;

import io.amphora.core.partition.Acks;
import io.amphora.core.partition.PartitionRef;
import io.amphora.wal.RecordBatchBuilder;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.engine.Delivery;

/** Messages of one link for one partition, on their way into one append. */
final class Batch {

  final PartitionRef partition;
  final Acks acks;

  /** Whether the sender waits for the answer. */
  final boolean answers;

  final RecordBatchBuilder records;
  final List<Delivery> deliveries = new ArrayList<>();

  Batch(PartitionRef partition, Acks acks, boolean answers, int expectedBytes) {
    this.partition = partition;
    this.acks = acks;
    this.answers = answers;
    this.records = new RecordBatchBuilder(expectedBytes);
  }
}
