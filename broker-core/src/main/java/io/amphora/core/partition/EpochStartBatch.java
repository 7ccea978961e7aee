package io.amphora.core.partition;

import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;

/**
 * The control batch that begins a leader epoch (docs/safety-rules.md). One record; body: int8
 * version 1, int8 type 1 (epoch start), int16 flags (bit 0: unclean election), int32 epoch.
 */
final class EpochStartBatch {

  private static final byte VERSION = 1;
  private static final byte EPOCH_START = 1;
  private static final short CLEAN = 0;

  private EpochStartBatch() {}

  static RecordBatchBuilder of(int epoch) {
    ByteBuffer none = ByteBuffer.allocate(0);
    ByteBuffer body = ByteBuffer.allocate(8);
    body.put(VERSION).put(EPOCH_START).putShort(CLEAN).putInt(epoch).flip();
    return new RecordBatchBuilder(128).control().add(RecordFields.NONE, none, none, body);
  }
}
