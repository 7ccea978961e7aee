package io.amphora.amqp.link;

import io.amphora.core.partition.PartitionRef;
import io.amphora.wal.RecordBatchBuilder;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.engine.Delivery;

/** Messages of one link for one partition, on their way into one append. */
final class Batch {

  final PartitionRef partition;
  final Batches.Handling handling;
  final RecordBatchBuilder records;
  final List<Delivery> deliveries = new ArrayList<>();

  Batch(PartitionRef partition, Batches.Handling handling, int expectedBytes) {
    this.partition = partition;
    this.handling = handling;
    this.records = new RecordBatchBuilder(expectedBytes);
  }
}
