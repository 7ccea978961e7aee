package io.amphora.wal.disk;

import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.Spool;
import io.amphora.wal.Wal;
import io.amphora.wal.WalLog;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Makes large messages for tests, and reads them back. */
final class Spooled {

  private static final int PIECE = 1 << 20;
  private static final RecordFields FIELDS =
      RecordFields.keyed("key".getBytes(StandardCharsets.UTF_8), 7);

  private Spooled() {}

  /** Bytes that are never zero, so that a lost sector can be told from data. */
  static byte[] body(long seed, int length) {
    byte[] body = new byte[length];
    new Random(seed).nextBytes(body);
    for (int i = 0; i < length; i++) {
      body[i] |= 1;
    }
    return body;
  }

  private static ByteBuffer section(int fill) {
    return ByteBuffer.wrap(new byte[] {(byte) fill, 1, 2, 3});
  }

  /** A spool that holds the bytes. */
  static Spool spool(Wal wal, LogOwner owner, byte[] body) {
    Spool spool = wal.openSpool(owner::post).orThrow();
    for (int at = 0; at < body.length; at += PIECE) {
      int start = at;
      int length = Math.min(PIECE, body.length - at);
      owner.<Long>await(done -> spool.write(body, start, length, done));
    }
    return spool;
  }

  /** A batch whose body is in a spool. */
  static RecordBatch batch(Wal wal, LogOwner owner, long base, byte[] body) {
    Spool spool = spool(wal, owner, body);
    return new RecordBatchBuilder(0)
        .addSpooled(FIELDS, section(1), section(2), spool)
        .seal(base, 1, 1000 + base);
  }

  /** The same batch, built in memory. */
  static RecordBatch whole(long base, int epoch, long time, byte[] body) {
    return new RecordBatchBuilder(0)
        .add(FIELDS, section(1), section(2), ByteBuffer.wrap(body))
        .seal(base, epoch, time);
  }

  /** The body of the only record of a batch as it was read, from memory or in pieces. */
  static byte[] bodyOf(LogOwner owner, RecordBatch batch) {
    LogRecord record = batch.iterator().next();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    if (record.isWhole()) {
      byte[] bytes = new byte[record.bodyLength()];
      record.body().get(bytes);
      return bytes;
    }
    while (all.size() < record.bodyLength()) {
      all.writeBytes(piece(owner, record.offset(), all.size(), WalLog.MAX_BODY_READ_BYTES));
    }
    return all.toByteArray();
  }

  static byte[] piece(LogOwner owner, long offset, long from, int length) {
    return owner.await(done -> owner.log.readBody(offset, from, length, done));
  }

  /** Files in the folder for spools. */
  static List<Path> files(SimulatedFiles disk, Path data) {
    return disk.paths().stream().filter(path -> path.startsWith(data.resolve("spool"))).toList();
  }
}
