package io.amphora.core.transaction;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionCodec;
import io.amphora.core.position.PositionKey;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;

/**
 * The batches of {@code __transactions} (docs/protocol.md, "Transactions"). Decoding is strict:
 * what {@link #encode} cannot have written is {@code CORRUPT}.
 */
final class IntentCodec {
  private static final byte VERSION = 1;
  private static final byte INTENT = 1;
  private static final byte APPLIED = 2;
  private static final byte CHANGES = 3;
  private static final int POSITION_KEY_BYTES = 37;
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private IntentCodec() {}

  /** What a batch of the topic is. */
  sealed interface Entry {}

  /** An intent; {@link #decode} has the rest. */
  record Begun(UUID id) implements Entry {}

  /** The intents at these offsets are applied. */
  record Applied(List<Long> offsets) implements Entry {}

  static RecordBatchBuilder encode(Intent intent) {
    long size = 1024 + 256L * intent.changes().size();
    for (Intent.Part part : intent.parts()) {
      size += part.records().stream().mapToLong(r -> r.size() + 64).sum();
    }
    RecordBatchBuilder batch = new RecordBatchBuilder((int) Math.min(size, 1 << 28));
    ByteBuffer key = ByteBuffer.allocate(18).put(VERSION).put(INTENT);
    key.putLong(intent.id().getMostSignificantBits());
    key.putLong(intent.id().getLeastSignificantBits());
    add(batch, key.array(), head(intent));
    add(batch, new byte[] {VERSION, CHANGES}, changes(intent));
    for (Intent.Part part : intent.parts()) {
      for (TransactionSend.Stored record : part.records()) {
        record.addTo(batch, wrapped(record.fields()));
      }
    }
    return batch;
  }

  private static void add(RecordBatchBuilder batch, byte[] key, ByteBuffer body) {
    RecordFields fields = RecordFields.keyed(key, Arrays.hashCode(key));
    batch.add(fields, EMPTY.duplicate(), EMPTY.duplicate(), body);
  }

  /** The key with a byte in front that says whether there is one. */
  private static RecordFields wrapped(RecordFields fields) {
    byte[] key = new byte[1 + fields.key().length];
    key[0] = (byte) (fields.hasKey() ? 1 : 0);
    System.arraycopy(fields.key(), 0, key, 1, fields.key().length);
    return new RecordFields(key, true, fields.keyHash(), fields.tagBits(), fields.messageFormat());
  }

  private static RecordFields unwrapped(LogRecord record) {
    ByteBuffer wrapped = record.key();
    boolean hasKey = wrapped.get() == 1;
    byte[] key = new byte[wrapped.remaining()];
    wrapped.get(key);
    return new RecordFields(
        key, hasKey, record.keyHash(), record.tagBits(), record.messageFormat());
  }

  private static ByteBuffer head(Intent intent) {
    ByteBuffer out = ByteBuffer.allocate(4 + intent.parts().size() * 32);
    out.putInt(intent.parts().size());
    for (Intent.Part part : intent.parts()) {
      out.putLong(part.target().topicId().getMostSignificantBits());
      out.putLong(part.target().topicId().getLeastSignificantBits());
      out.putInt(part.target().partition()).putLong(part.from()).putInt(part.records().size());
    }
    return out.flip();
  }

  /** A record of its own: so there are two at least, and the batch is always read as a whole. */
  private static ByteBuffer changes(Intent intent) {
    List<byte[]> parts = new ArrayList<>();
    int size = 4;
    for (Map.Entry<PositionKey, Position> change : intent.changes().entrySet()) {
      byte[] position = PositionCodec.encode(change.getValue());
      parts.add(PositionCodec.encodeKey(change.getKey()));
      parts.add(ByteBuffer.allocate(4).putInt(position.length).array());
      parts.add(position);
      size += POSITION_KEY_BYTES + 4 + position.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).putInt(intent.changes().size());
    parts.forEach(out::put);
    return out.flip();
  }

  /** The marker that intents are applied. */
  static RecordBatchBuilder applied(List<Long> offsets) {
    ByteBuffer body = ByteBuffer.allocate(4 + 8 * offsets.size()).putInt(offsets.size());
    offsets.forEach(body::putLong);
    RecordBatchBuilder batch = new RecordBatchBuilder(256);
    add(batch, new byte[] {VERSION, APPLIED}, body.flip());
    return batch;
  }

  /**
   * What a batch is.
   *
   * @throws BrokerException {@code CORRUPT}
   */
  static Entry entry(RecordBatch batch) {
    try {
      LogRecord first = batch.iterator().next();
      ByteBuffer key = first.key();
      if (key.get() != VERSION) {
        throw corrupt(batch);
      }
      byte kind = key.get();
      if (kind == INTENT) {
        return new Begun(new UUID(key.getLong(), key.getLong()));
      } else if (kind != APPLIED) {
        throw corrupt(batch);
      }
      ByteBuffer body = first.body();
      List<Long> offsets = new ArrayList<>();
      for (int left = body.getInt(); left > 0; left--) {
        offsets.add(body.getLong());
      }
      return new Applied(offsets);
    } catch (BufferUnderflowException | IllegalStateException e) {
      throw corrupt(batch);
    }
  }

  /**
   * The intent of a batch that is one.
   *
   * @throws BrokerException {@code CORRUPT}
   */
  static Intent decode(RecordBatch batch) {
    if (!(entry(batch) instanceof Begun begun)) {
      throw corrupt(batch);
    }
    try {
      Iterator<LogRecord> records = batch.iterator();
      ByteBuffer head = records.next().body();
      ByteBuffer rest = records.next().body();
      List<Intent.Part> parts = new ArrayList<>();
      for (int left = head.getInt(); left > 0; left--) {
        Target target = new Target(new UUID(head.getLong(), head.getLong()), head.getInt());
        parts.add(new Intent.Part(target, head.getLong(), take(records, head.getInt())));
      }
      Map<PositionKey, Position> changes = new HashMap<>();
      for (int left = rest.getInt(); left > 0; left--) {
        PositionKey key = PositionCodec.decodeKey(slice(rest, POSITION_KEY_BYTES));
        changes.put(key, PositionCodec.decode(slice(rest, rest.getInt())));
      }
      if (head.hasRemaining() || rest.hasRemaining() || records.hasNext()) {
        throw corrupt(batch);
      }
      return new Intent(begun.id(), parts, changes);
    } catch (BufferUnderflowException | IndexOutOfBoundsException | NoSuchElementException e) {
      throw corrupt(batch);
    }
  }

  private static List<TransactionSend.Stored> take(Iterator<LogRecord> records, int count) {
    List<TransactionSend.Stored> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LogRecord record = records.next();
      taken.add(
          new TransactionSend.Stored(
              unwrapped(record), record.header(), record.annotations(), record.body()));
    }
    return taken;
  }

  private static ByteBuffer slice(ByteBuffer from, int length) {
    ByteBuffer slice = from.slice(from.position(), length);
    from.position(from.position() + length);
    return slice;
  }

  private static BrokerException corrupt(RecordBatch batch) {
    return new BrokerException(
        ErrorCode.CORRUPT, TransactionLog.TOPIC + " holds no intent and no marker at " + batch);
  }
}
