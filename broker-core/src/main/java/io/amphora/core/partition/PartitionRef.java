package io.amphora.core.partition;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A partition as seen from any other loop: every call posts to its owner and returns at once. (A
 * partition led elsewhere will have a remote form of this.)
 */
public interface PartitionRef {

  UUID topicId();

  int partition();

  /**
   * Appends; answers on the request's owner, in order per partition. A spool that the request holds
   * is the partition's, and erased whatever the answer.
   */
  void append(AppendRequest request);

  /** Where it stands. */
  void status(Loop owner, Consumer<Reply<PartitionStatus>> done);

  /**
   * First offset appended at or after a time; the high watermark when there is none.
   *
   * @param timestampMillis milliseconds since 1970
   */
  void offsetForTime(long timestampMillis, Loop owner, Consumer<Reply<Long>> done);

  /** Reads committed records, without any group; for the admin API and for browsing. */
  void read(ReadRequest request, Loop owner, Consumer<Reply<ReadSlice>> done);

  /**
   * Reads a piece of the body of a committed record, for one that is not whole ({@link
   * io.amphora.wal.LogRecord#isWhole}). {@code NOT_FOUND} when retention took the record, or the
   * high watermark has not reached it; {@code RESOURCE_LIMIT} when too many reads wait: try again.
   */
  void readBody(BodyRequest request, Loop owner, Consumer<Reply<byte[]>> done);
}
