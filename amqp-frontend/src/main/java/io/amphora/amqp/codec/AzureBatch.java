package io.amphora.amqp.codec;

/**
 * Azure's batch format (conventions 5.5): an envelope, then data sections that hold one encoded
 * message each. Owned by one link.
 */
public final class AzureBatch {

  /** The message format of a transfer that brings a batch. */
  public static final int FORMAT = 0x80013700;

  private final MessageScanner scanner = new MessageScanner();

  /** Takes the messages of a batch. */
  public interface Visitor {
    /**
     * @param message valid until the next one
     */
    void message(ScannedMessage message);
  }

  /**
   * Looks at all of a batch.
   *
   * @param envelope the message that the batch is in
   * @throws MalformedMessageException when it holds no message, or something that is none; nothing
   *     should be kept then
   */
  public void check(ScannedMessage envelope) throws MalformedMessageException {
    if (walk(envelope, message -> {}) == 0) {
      throw new MalformedMessageException("a batch without messages");
    }
  }

  /** Goes through a batch that was checked. */
  public void each(ScannedMessage envelope, Visitor visitor) {
    try {
      walk(envelope, visitor);
    } catch (MalformedMessageException e) {
      throw new IllegalArgumentException("the batch was not checked", e);
    }
  }

  private int walk(ScannedMessage envelope, Visitor visitor) throws MalformedMessageException {
    byte[] a = envelope.bytes;
    int end = envelope.bodyEnd;
    int count = 0;
    for (int at = envelope.bodyStart; at < end; ) {
      int value = MessageScanner.valueOf(a, at, end);
      int code = MessageScanner.codeOf(a, at, value, end);
      int next = Wire.skip(a, value, end);
      if (code == MessageScanner.DATA) {
        visitor.message(scanner.scan(a, Wire.content(a, value, end), next));
        count++;
      } else if (code == MessageScanner.SEQUENCE || code == MessageScanner.VALUE) {
        throw new MalformedMessageException("a batch holds something else than data");
      }
      at = next;
    }
    return count;
  }
}
