package io.amphora.core.transaction;

import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.codec.Compression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The work of one transaction as it is written down: once this is committed, all of it will happen
 * (safety rule 13). Immutable.
 *
 * @param id of the transaction
 * @param parts what goes into which partition, each partition once
 * @param changes what is merged into which positions
 */
record Intent(UUID id, List<Part> parts, Map<PositionKey, Position> changes) {

  /**
   * What goes into one partition.
   *
   * @param from a log end of the partition before the intent was appended: the part is not below it
   * @param records at least one, in their order
   */
  record Part(Target target, long from, List<TransactionSend.Stored> records) {

    /** The records as one batch. */
    RecordBatchBuilder toBatch(Compression compression) {
      long size = records.stream().mapToLong(r -> r.size() + 64).sum();
      RecordBatchBuilder batch =
          new RecordBatchBuilder((int) Math.min(size, Integer.MAX_VALUE / 2));
      records.forEach(record -> record.addTo(batch, record.fields()));
      return batch.compress(compression);
    }
  }

  /** The targets of some sends, in the order of their first send. */
  static Map<Target, List<TransactionSend.Stored>> byTarget(List<TransactionSend> sends) {
    Map<Target, List<TransactionSend.Stored>> byTarget = new LinkedHashMap<>();
    for (TransactionSend send : sends) {
      byTarget.computeIfAbsent(send.target(), t -> new ArrayList<>()).add(send.record());
    }
    return byTarget;
  }

  /** The intent of some work. */
  static Intent of(TransactionWork work, Map<Target, Long> ends) {
    List<Part> parts = new ArrayList<>();
    byTarget(work.sends())
        .forEach(
            (target, records) ->
                parts.add(new Part(target, ends.getOrDefault(target, 0L), records)));
    return new Intent(work.id(), parts, work.changes());
  }
}
