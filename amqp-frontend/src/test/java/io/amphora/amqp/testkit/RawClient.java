package io.amphora.amqp.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A socket that speaks frames; waits at most half a minute for each. */
public final class RawClient implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final DataInputStream in;

  public RawClient(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new DataInputStream(socket.getInputStream());
  }

  public void send(byte[]... parts) throws IOException {
    socket.getOutputStream().write(Wire.join(List.of(parts)));
  }

  /** The next frame or header. */
  public RawFrame next() throws IOException {
    return RawFrame.parse(nextBytes()).get(0);
  }

  /** The next frame or header as it came. */
  public byte[] nextBytes() throws IOException {
    byte[] first = in.readNBytes(8);
    if (first.length < 8) {
      throw new IOException("the broker closed the connection");
    }
    if (first[0] == 'A') {
      return first;
    }
    int size = java.nio.ByteBuffer.wrap(first).getInt();
    return Wire.join(first, in.readNBytes(size - 8));
  }

  /** All frames until one of this kind. */
  public List<RawFrame> until(int code) throws IOException {
    List<RawFrame> frames = new ArrayList<>();
    RawFrame frame = next();
    while (frame.code() != code) {
      frames.add(frame);
      frame = next();
    }
    frames.add(frame);
    return frames;
  }

  /** All frames until the broker hangs up. */
  public List<RawFrame> rest() throws IOException {
    return RawFrame.parse(in.readAllBytes());
  }

  /** Says that nothing more comes and reads until the broker hangs up. */
  public void hangUp() throws IOException {
    socket.shutdownOutput();
    in.transferTo(java.io.OutputStream.nullOutputStream());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
