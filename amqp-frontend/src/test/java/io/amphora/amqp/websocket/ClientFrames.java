package io.amphora.amqp.websocket;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** WebSocket frames as a client writes them. */
public final class ClientFrames {

  private static final byte[] MASK = {0x11, (byte) 0xfe, 0x37, (byte) 0x80};

  private ClientFrames() {}

  public static byte[] binary(byte[] payload) {
    return frame(0x82, payload);
  }

  /** A frame with any first byte, masked. */
  public static byte[] frame(int first, byte[] payload) {
    byte[] masked = payload.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= MASK[i % 4];
    }
    return raw(first, payload.length, true, masked);
  }

  /** A frame that may claim what it does not hold. */
  public static byte[] raw(int first, long length, boolean masked, byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    int bit = masked ? 0x80 : 0;
    try {
      out.writeByte(first);
      if (length < 0 || length > 0xffff) {
        out.writeByte(bit | 127);
        out.writeLong(length);
      } else if (length > 125) {
        out.writeByte(bit | 126);
        out.writeShort((int) length);
      } else {
        out.writeByte(bit | (int) length);
      }
      if (masked) {
        out.write(MASK);
      }
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
