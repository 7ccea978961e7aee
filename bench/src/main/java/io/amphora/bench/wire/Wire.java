package io.amphora.bench.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Sasl;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.impl.CollectorImpl;

/**
 * One connection: a socket, an engine and a thread of its own that owns both. It waits in select
 * and does everything that is possible in one turn, so that a batch of messages costs two system
 * calls.
 */
public final class Wire implements AutoCloseable {

  private static final int MAX_FRAME = 64 << 10;
  private static final int READS_PER_TURN = 16;
  private static final long HEARTBEAT_MILLIS = 10_000;

  private final Target target;
  private final Traffic traffic;
  private final Thread thread;
  private final MergingTransport transport = new MergingTransport();
  private final Connection connection = Proton.connection();
  private final Collector collector = new CollectorImpl();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Selector selector;
  private final SocketChannel channel;
  private final SelectionKey key;
  private volatile boolean stopping;
  private volatile Optional<Exception> failure = Optional.empty();

  /** Connects; the thread starts at once. */
  public Wire(String name, Target target, Traffic traffic) throws IOException {
    this.target = target;
    this.traffic = traffic;
    channel = SocketChannel.open(new InetSocketAddress(target.host(), target.port()));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits until the peer answered the attach. */
  public void awaitReady() throws InterruptedException {
    boolean came = ready.await(30, TimeUnit.SECONDS);
    check();
    if (!came) {
      throw new IllegalStateException(thread.getName() + ": no answer to the attach");
    }
  }

  /** Throws what ended the connection, if anything did. */
  public void check() {
    failure.ifPresent(
        e -> {
          throw new IllegalStateException(thread.getName() + ": " + e.getMessage(), e);
        });
  }

  /** Something became due: makes the thread look. From any thread. */
  public void wakeup() {
    selector.wakeup();
  }

  /** Closes the socket and waits for the thread. */
  @Override
  public void close() {
    stopping = true;
    selector.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (channel;
        selector) {
      openEngine();
      while (!stopping) {
        write();
        selector.select(HEARTBEAT_MILLIS);
        if (!read()) {
          throw new EOFException("the peer closed the connection");
        }
        transport.tick(System.nanoTime() / 1_000_000);
      }
      connection.close();
      write();
    } catch (IOException | RuntimeException e) {
      if (!stopping) {
        failure = Optional.of(e);
      }
    } finally {
      ready.countDown();
    }
  }

  private void openEngine() {
    transport.setMaxFrameSize(MAX_FRAME);
    transport.setEmitFlowEventOnSend(false);
    transport.setUseReadOnlyOutputBuffer(false);
    Sasl sasl = transport.sasl();
    sasl.client();
    sasl.setRemoteHostname(target.host());
    sasl.setMechanisms("ANONYMOUS");
    connection.collect(collector);
    connection.setContainer("bench-" + thread.getName());
    connection.setHostname(target.host());
    transport.bind(connection);
    connection.open();
    Session session = connection.session();
    session.open();
    traffic.open(session, target);
  }

  private void write() throws IOException {
    boolean blocked = false;
    while (!blocked) {
      traffic.pump();
      int pending = transport.pending();
      if (pending <= 0) {
        break;
      }
      ByteBuffer head = transport.head();
      int count = channel.write(head);
      transport.pop(count);
      blocked = count < pending;
    }
    key.interestOps(blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
  }

  private boolean read() throws IOException {
    for (int turn = 0; turn < READS_PER_TURN; turn++) {
      int room = transport.capacity();
      if (room <= 0) {
        return false;
      }
      int count = channel.read(transport.tail());
      if (count < 0) {
        return false;
      }
      if (count > 0) {
        transport.process();
        dispatch();
      }
      if (count < room) {
        return true;
      }
    }
    return true;
  }

  private void dispatch() {
    for (Event event = collector.peek(); event != null; event = collector.peek()) {
      Event.Type type = event.getType();
      Object context = event.getContext();
      collector.pop();
      switch (type) {
        case DELIVERY -> traffic.onDelivery((Delivery) context);
        case LINK_REMOTE_OPEN -> {
          traffic.onReady();
          ready.countDown();
        }
        case LINK_REMOTE_CLOSE, LINK_REMOTE_DETACH -> traffic.onRefused((Link) context);
        case CONNECTION_REMOTE_CLOSE, TRANSPORT_ERROR ->
            throw new UncheckedIOException(new IOException(reason()));
        default -> {}
      }
    }
  }

  private String reason() {
    return connection.getRemoteCondition() + " " + transport.getCondition();
  }
}
