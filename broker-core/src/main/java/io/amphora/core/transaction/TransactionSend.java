package io.amphora.core.transaction;

import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;

/**
 * A message on its way into a partition when its transaction commits.
 *
 * @param topic where it goes
 * @param partition number of the partition
 * @param record the message
 */
public record TransactionSend(TopicInfo topic, int partition, Stored record) {

  /** What one message takes beside its bytes. */
  private static final int OVERHEAD = 256;

  /**
   * A record that is kept.
   *
   * @param fields what describes it
   * @param header header section, may be empty; not changed by anybody any more, like the others
   * @param annotations message annotations section, may be empty
   * @param body bare message and footer
   */
  public record Stored(
      RecordFields fields, ByteBuffer header, ByteBuffer annotations, ByteBuffer body) {

    void addTo(RecordBatchBuilder batch, RecordFields described) {
      batch.add(described, header.duplicate(), annotations.duplicate(), body.duplicate());
    }

    /** Bytes of key and sections. */
    long size() {
      return (long) fields.key().length
          + header.remaining()
          + annotations.remaining()
          + body.remaining();
    }
  }

  /** What it counts for, bytes. */
  public long cost() {
    return OVERHEAD + record.size();
  }

  Target target() {
    return new Target(topic.id(), partition);
  }
}
