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

  /** All but the body, in an array of its own: for a message whose bytes go elsewhere. */
  ScannedMessage copyOfHead() {
    int header = headerEnd - headerStart;
    int annotations = annotationsEnd - annotationsStart;
    int keyLength = Math.max(0, keyEnd - keyStart);
    int toLength = Math.max(0, toEnd - toStart);
    byte[] all = new byte[header + annotations + keyLength + toLength];
    ScannedMessage copy = new ScannedMessage();
    copy.reset(all, 0, all.length);
    System.arraycopy(bytes, headerStart, all, 0, header);
    System.arraycopy(bytes, annotationsStart, all, header, annotations);
    copy.headerEnd = header;
    copy.annotationsStart = header;
    copy.annotationsEnd = header + annotations;
    int at = header + annotations;
    if (keyEnd >= 0) {
      System.arraycopy(bytes, keyStart, all, at, keyLength);
      copy.keyStart = at;
      copy.keyEnd = at + keyLength;
    }
    if (toEnd >= 0) {
      System.arraycopy(bytes, toStart, all, at + keyLength, toLength);
      copy.toStart = at + keyLength;
      copy.toEnd = all.length;
    }
    return copy;
  }

  /** Bytes of the array that all of it lies in. */
  public int heldBytes() {
    return bytes.length;
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
