package io.amphora.wal;

/**
 * What describes a record beside its sections.
 *
 * @param key key bytes; ignored unless {@code hasKey}. Not copied: do not change it afterwards
 * @param hasKey whether there is a key (an empty key is a key)
 * @param keyHash hash of the key, 0 without one
 * @param tagBits bloom bits of the tags
 * @param messageFormat AMQP message format, 0 for ordinary messages
 */
public record RecordFields(
    byte[] key, boolean hasKey, int keyHash, long tagBits, int messageFormat) {

  /** No key, no tags, message format 0. */
  public static final RecordFields NONE =
      new RecordFields(RecordBatchBuilder.NO_KEY, false, 0, 0, 0);

  /** A key with its hash, no tags, message format 0. */
  public static RecordFields keyed(byte[] key, int keyHash) {
    return new RecordFields(key, true, keyHash, 0, 0);
  }
}
