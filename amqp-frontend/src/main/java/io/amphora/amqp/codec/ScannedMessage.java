package io.amphora.amqp.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where the sections of one encoded message are. Reused from message to message; no copies. */
public final class ScannedMessage {

  byte[] bytes = new byte[0];
  int headerStart;
  int headerEnd;
  int annotationsStart;
  int annotationsEnd;
  int bodyStart;
  int bodyEnd;
  int keyStart;
  int keyEnd = -1;
  int toStart;
  int toEnd = -1;

  void reset(byte[] array, int start, int end) {
    bytes = array;
    headerStart = start;
    headerEnd = start;
    annotationsStart = start;
    annotationsEnd = start;
    bodyStart = end;
    bodyEnd = end;
    keyEnd = -1;
    toEnd = -1;
  }

  /** Header section with its descriptor, maybe empty. */
  public ByteBuffer header() {
    return ByteBuffer.wrap(bytes, headerStart, headerEnd - headerStart);
  }

  /** Message annotations section with its descriptor, maybe empty. */
  public ByteBuffer annotations() {
    return ByteBuffer.wrap(bytes, annotationsStart, annotationsEnd - annotationsStart);
  }

  /** Bare message and footer. */
  public ByteBuffer body() {
    return ByteBuffer.wrap(bytes, bodyStart, bodyEnd - bodyStart);
  }

  /** UTF-8 bytes of the key; null without one. */
  public byte @Nullable [] key() {
    return keyEnd < 0 ? null : Arrays.copyOfRange(bytes, keyStart, keyEnd);
  }

  /** The message's {@code to}, empty without one. */
  public String to() {
    return toEnd < 0 ? "" : new String(bytes, toStart, toEnd - toStart, StandardCharsets.UTF_8);
  }
}
