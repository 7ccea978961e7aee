package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** Clients that do not do what they should, on sockets of their own. Used by one test thread. */
final class HostileSockets implements AutoCloseable {

  private static final long MUCH_CREDIT = 100_000;

  private final int port;
  private final List<Socket> halfOpen = new ArrayList<>();
  private final List<RawClient> stalled = new ArrayList<>();
  private long opened;

  HostileSockets(int port) {
    this.port = port;
  }

  /** Connect, and say nothing, or no more than a header, or half of an Open. */
  void halfOpen(int count) throws IOException {
    byte[] open = Wire.open();
    byte[] half = Wire.join(Wire.AMQP, java.util.Arrays.copyOf(open, open.length / 2));
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket();
      socket.connect(new InetSocketAddress("127.0.0.1", port), 30_000);
      halfOpen.add(socket);
      byte[] said =
          switch (i % 4) {
            case 0 -> new byte[0];
            case 1 -> Wire.SASL;
            case 2 -> Wire.AMQP;
            default -> half;
          };
      socket.getOutputStream().write(said);
    }
    opened = System.nanoTime();
  }

  /** How many of them the broker still holds so long after the last of them came. */
  int stillOpenAfter(long millis) throws IOException {
    long end = opened + millis * 1_000_000L;
    int open = 0;
    for (Socket socket : halfOpen) {
      socket.setSoTimeout((int) Math.max(1, (end - System.nanoTime()) / 1_000_000));
      if (!ends(socket)) {
        open++;
      }
    }
    return open;
  }

  private static boolean ends(Socket socket) throws IOException {
    try {
      byte[] some = new byte[1024];
      while (true) {
        if (socket.getInputStream().read(some) < 0) {
          return true;
        }
      }
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  /** Attaches a receiver with much credit, reads until a message begins, and then nothing more. */
  void stalledReader(String address) throws IOException {
    RawClient client = new RawClient(port);
    stalled.add(client);
    client.send(Wire.AMQP, Wire.open(), Wire.begin(0));
    client.send(Wire.receiver(0, 0, "stalled", Wire.source(address)));
    client.send(Wire.flow(0, 0L, MUCH_CREDIT, false, false));
    List<RawFrame> frames = client.until(RawFrame.TRANSFER);
    assertThat(frames.get(frames.size() - 1).payload()).as("it was sent something").isNotEmpty();
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : halfOpen) {
      socket.close();
    }
    for (RawClient client : stalled) {
      client.close();
    }
  }
}
