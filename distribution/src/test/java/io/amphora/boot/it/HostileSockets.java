package io.amphora.boot.it;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;

/** Clients that do not do what they should, on sockets of their own. Used by one test thread. */
final class HostileSockets implements AutoCloseable {

  private static final int PAYLOAD = 48 << 10;

  /** Index of the delivery-id in a transfer frame. */
  private static final int DELIVERY_ID = 16;

  private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

  private final int port;
  private final List<Socket> halfOpen = new ArrayList<>();
  private final List<Socket> others = new ArrayList<>();

  HostileSockets(int port) {
    this.port = port;
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress("127.0.0.1", port), 30_000);
    return socket;
  }

  /** Connect, and say nothing or no more than a header. */
  void halfOpen(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Socket socket = connect();
      halfOpen.add(socket);
      if (i % 3 == 1) {
        socket.getOutputStream().write(SASL_HEADER);
      } else if (i % 3 == 2) {
        socket.getOutputStream().write(AMQP_HEADER);
      }
    }
  }

  /** How many of them the broker still holds after at most so long. */
  int stillOpen(int millis) throws IOException {
    long end = System.nanoTime() + millis * 1_000_000L;
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

  /** Attaches a receiver with much credit and reads nothing at all. */
  void stalledReader(String address) throws IOException {
    Socket socket = connect();
    socket.setReceiveBufferSize(4096);
    others.add(socket);
    Connection connection = Proton.connection();
    Session session = connection.session();
    Receiver receiver = session.receiver("stalled");
    Source source = new Source();
    source.setAddress(address);
    receiver.setSource(source);
    open(connection, session);
    receiver.open();
    receiver.flow(100_000);
    socket.getOutputStream().write(written(connection));
  }

  /**
   * Attaches a sender and sends settled messages, whatever credit it has, as fast as they are read.
   *
   * @return bytes that were sent before the broker cut the connection, or {@code most}
   */
  long flood(String address, long most) throws IOException {
    Socket socket = connect();
    others.add(socket);
    Connection connection = Proton.connection();
    Session session = connection.session();
    org.apache.qpid.proton.engine.Sender sender = session.sender("flood");
    Target target = new Target();
    target.setAddress(address);
    sender.setTarget(target);
    open(connection, session);
    sender.open();
    OutputStream out = socket.getOutputStream();
    out.write(written(connection));
    ByteBuffer transfer = settledTransfer();
    long taken = 0;
    try {
      for (int id = 0; taken < most; id++) {
        out.write(transfer.putInt(DELIVERY_ID, id).array());
        taken += transfer.capacity();
      }
    } catch (IOException cut) {
      return taken;
    }
    return taken;
  }

  private static void open(Connection connection, Session session) {
    connection.setContainer("hostile");
    connection.open();
    session.open();
  }

  /** What a client's engine would write at once, with no SASL layer. */
  private static byte[] written(Connection connection) {
    Transport transport = Proton.transport();
    transport.bind(connection);
    ByteBuffer out = transport.head();
    byte[] bytes = new byte[transport.pending()];
    out.get(bytes);
    return bytes;
  }

  /** One data section, on handle 0 of channel 0; part 2, section 2.7.5. */
  private static ByteBuffer settledTransfer() {
    byte[] performative = {
      0, 0x53, 0x14, (byte) 0xc0, 12, 5, 0x43, 0x70, 0, 0, 0, 0, (byte) 0xa0, 1, 1, 0x43, 0x41
    };
    byte[] section = {0, 0x53, 0x75, (byte) 0xb0};
    ByteBuffer frame =
        ByteBuffer.allocate(8 + performative.length + section.length + Integer.BYTES + PAYLOAD);
    frame.putInt(frame.capacity()).put((byte) 2).put((byte) 0).putShort((short) 0);
    return frame.put(performative).put(section).putInt(PAYLOAD);
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : halfOpen) {
      socket.close();
    }
    for (Socket socket : others) {
      socket.close();
    }
  }
}
