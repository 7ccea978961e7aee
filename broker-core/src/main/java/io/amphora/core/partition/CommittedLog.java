package io.amphora.core.partition;

import io.amphora.core.Reply;
import io.amphora.wal.EpochStart;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What dispatchers see of a partition that is led here: committed records only. Owned by the
 * partition loop; all calls and callbacks happen there.
 */
public interface CommittedLog {

  String topic();

  UUID topicId();

  int partition();

  /** Leader epoch of this leadership. */
  int epoch();

  long logStart();

  /** End of what is visible; moves up only. */
  long highWatermark();

  /** Epoch starts; each is a control record that is not a message. */
  List<EpochStart> epochs();

  /**
   * Reads committed batches: at once from the tail cache, else later from disk.
   *
   * @param done called on the partition loop, maybe before this method returns
   */
  void read(ReadRequest request, Consumer<Reply<ReadSlice>> done);

  /** Reads a piece of the body of a committed record, from disk. */
  void readBody(BodyRequest request, Consumer<Reply<byte[]>> done);

  /** First committed offset appended at or after a time; the high watermark when there is none. */
  void offsetForTime(long timestampMillis, Consumer<Reply<Long>> done);

  /**
   * Gives up committed records below an offset, sooner or later: their owner does not need them any
   * more.
   */
  void truncateBefore(long offset);
}
