package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.core.partition.ReadSlice;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Collects messages for one answer, bounded in number and bytes. */
final class MessagePage {
  /** Bytes of a body that are shown. */
  static final int MAX_BODY = 64 << 10;

  /** Bytes of bodies after which a page ends. */
  private static final int MAX_BYTES = 4 << 20;

  private final int partition;
  private final int limit;
  private final List<ObjectNode> items = new ArrayList<>();
  private long next;
  private int bytes;

  /**
   * @param next first offset wanted
   * @param limit most messages
   */
  MessagePage(int partition, long next, int limit) {
    this.partition = partition;
    this.next = next;
    this.limit = limit;
  }

  /** Takes what is wanted of a read; false when it brought nothing new. */
  boolean add(ReadSlice slice) {
    long before = next;
    next = Math.max(next, Math.min(slice.logStart(), slice.highWatermark()));
    for (RecordBatch batch : slice.batches()) {
      if (!isFull()) {
        add(batch);
      }
    }
    return next > before && next < slice.highWatermark();
  }

  private void add(RecordBatch batch) {
    if (!batch.isControl()) {
      for (LogRecord record : batch) {
        if (isFull()) {
          return;
        }
        if (record.offset() >= next) {
          items.add(json(record));
          bytes += shownOf(record).remaining();
          next = record.offset() + 1;
        }
      }
    }
    next = Math.max(next, batch.endOffset());
  }

  boolean isFull() {
    return items.size() >= limit || bytes >= MAX_BYTES;
  }

  /** Where to go on. */
  long next() {
    return next;
  }

  List<ObjectNode> items() {
    return items;
  }

  private ObjectNode json(LogRecord record) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("partition", partition);
    json.put("offset", record.offset());
    json.put("timestamp", record.timestamp());
    json.put("size", record.payloadSize());
    if (record.hasKey()) {
      json.put("key", text(record.key()));
      json.put("keyBase64", base64(record.key()));
    } else {
      json.putNull("key");
      json.putNull("keyBase64");
    }
    ByteBuffer shown = shownOf(record);
    json.put("body", base64(shown));
    json.put("bodyTruncated", shown.remaining() < record.bodyLength());
    return json;
  }

  /** The body's beginning; nothing of one that is too large to have been read with the record. */
  private static ByteBuffer shownOf(LogRecord record) {
    if (!record.isWhole()) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer body = record.body();
    return body.slice(0, Math.min(body.remaining(), MAX_BODY));
  }

  private static String base64(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return Base64.getEncoder().encodeToString(copy);
  }

  /** The key as text; with a replacement sign for what is no UTF-8. */
  private static String text(ByteBuffer key) {
    return StandardCharsets.UTF_8.decode(key.duplicate()).toString();
  }
}
