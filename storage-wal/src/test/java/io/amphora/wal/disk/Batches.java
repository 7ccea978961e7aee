package io.amphora.wal.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.amphora.wal.LogName;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.codec.Compression;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;

/** Makes batches and names for tests. */
final class Batches {

  static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private Batches() {}

  static LogName name(int partition) {
    return new LogName("orders/new", partition, new UUID(1, 2));
  }

  /** Body bytes are never zero, so that a lost sector can be told from data. */
  static RecordBatch batch(long base, int count, int epoch, long time, int bodyBytes) {
    RecordBatchBuilder builder = new RecordBatchBuilder(count * (bodyBytes + 64));
    Random random = new Random(base);
    for (int i = 0; i < count; i++) {
      byte[] body = new byte[bodyBytes];
      random.nextBytes(body);
      for (int j = 0; j < body.length; j++) {
        body[j] |= 1;
      }
      builder.add(RecordFields.NONE, NONE.duplicate(), NONE.duplicate(), ByteBuffer.wrap(body));
    }
    return builder.seal(base, epoch, time);
  }

  /** A batch that is compressed: its bodies repeat themselves. */
  static RecordBatch packed(Compression how, long base, int count, int epoch, long time) {
    RecordBatchBuilder builder = new RecordBatchBuilder(1 << 10);
    for (int i = 0; i < count; i++) {
      byte[] body = ("message " + base + "/" + i + " ").repeat(1 + 2000 / count).getBytes(UTF_8);
      builder.add(RecordFields.NONE, NONE.duplicate(), NONE.duplicate(), ByteBuffer.wrap(body));
    }
    return builder.compress(how).seal(base, epoch, time);
  }

  static RecordBatch batch(long base) {
    return batch(base, 1, 1, 1000 + base, 100);
  }
}
