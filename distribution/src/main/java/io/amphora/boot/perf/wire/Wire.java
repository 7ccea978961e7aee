package io.amphora.boot.perf.wire;

import io.amphora.boot.perf.wire.WireException.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sasl;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.impl.CollectorImpl;
import org.jspecify.annotations.Nullable;

/**
 * One connection: a socket, an engine and a thread of its own that owns both. It waits in select
 * and does everything that is possible in one turn, so that a batch of messages costs two system
 * calls.
 */
public final class Wire implements AutoCloseable {

  private static final int MAX_FRAME = 64 << 10;
  private static final int READS_PER_TURN = 16;
  private static final long HEARTBEAT_MILLIS = 10_000;
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READY_SECONDS = 30;

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
  private volatile Optional<WireException> failure = Optional.empty();

  private Wire(String name, Target target, Traffic traffic) throws IOException {
    this.target = target;
    this.traffic = traffic;
    channel = connected(target);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Connects; the thread starts at once. */
  public static Wire open(String name, Target target, Traffic traffic) throws WireException {
    try {
      return new Wire(name, target, traffic);
    } catch (IOException | UnresolvedAddressException e) {
      String why =
          e instanceof UnresolvedAddressException ? "no such host" : String.valueOf(e.getMessage());
      throw new WireException(
          Stage.CONNECT,
          why.contains("Connection refused") ? "connection refused" : why.toLowerCase(Locale.ROOT));
    }
  }

  private static SocketChannel connected(Target target) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MILLIS);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Waits until the peer answered the attach. */
  public void awaitReady() throws InterruptedException, WireException {
    boolean came = ready.await(READY_SECONDS, TimeUnit.SECONDS);
    check();
    if (!came) {
      throw new WireException(Stage.CONNECT, "no answer within " + READY_SECONDS + " s");
    }
  }

  /** Throws what ended the connection, if anything did. */
  public void check() throws WireException {
    if (failure.isPresent()) {
      WireException first = failure.get();
      throw new WireException(first.stage(), String.valueOf(first.getMessage()));
    }
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
          throw ended();
        }
        transport.tick(System.nanoTime() / 1_000_000);
      }
      connection.close();
      write();
    } catch (WireException e) {
      fail(e);
    } catch (IOException | RuntimeException e) {
      fail(new WireException(Stage.CONNECTION, String.valueOf(e.getMessage())));
    } finally {
      ready.countDown();
    }
  }

  private void fail(WireException e) {
    if (!stopping) {
      failure = Optional.of(e);
    }
  }

  /** Why there is nothing more to read: an outcome of SASL other than OK ends the connection. */
  private WireException ended() {
    boolean loggedIn = transport.sasl().getOutcome() == Sasl.SaslOutcome.PN_SASL_OK;
    if (!loggedIn && transport.sasl().getOutcome() != Sasl.SaslOutcome.PN_SASL_NONE) {
      return new WireException(Stage.LOGIN, "the user was not let in");
    }
    return loggedIn
        ? new WireException(Stage.CONNECTION, "the broker closed the connection")
        : new WireException(Stage.CONNECT, "this is no AMQP broker, or it asks for a user");
  }

  private void openEngine() {
    transport.setMaxFrameSize(MAX_FRAME);
    transport.setEmitFlowEventOnSend(false);
    transport.setUseReadOnlyOutputBuffer(false);
    Sasl sasl = transport.sasl();
    sasl.client();
    sasl.setRemoteHostname(target.host());
    if (target.login().isPresent()) {
      sasl.plain(target.login().get().user(), target.login().get().password());
    } else {
      sasl.setMechanisms("ANONYMOUS");
    }
    connection.collect(collector);
    connection.setContainer("perf-" + ProcessHandle.current().pid() + "-" + thread.getName());
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

  private boolean read() throws IOException, WireException {
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

  private void dispatch() throws WireException {
    for (Event event = collector.peek(); event != null; event = collector.peek()) {
      Event.Type type = event.getType();
      Object context = event.getContext();
      collector.pop();
      switch (type) {
        case DELIVERY -> traffic.onDelivery((Delivery) context);
        case LINK_REMOTE_OPEN -> onAttached((Link) context);
        case LINK_REMOTE_CLOSE, LINK_REMOTE_DETACH ->
            throw new WireException(Stage.LINK, text(((Link) context).getRemoteCondition()));
        case CONNECTION_REMOTE_CLOSE ->
            throw new WireException(Stage.CONNECTION, text(connection.getRemoteCondition()));
        case TRANSPORT_ERROR ->
            throw new WireException(Stage.CONNECTION, text(transport.getCondition()));
        default -> {}
      }
    }
  }

  /** A refused link is answered first and detached then; its terminus is null. */
  private void onAttached(Link link) {
    if ((link instanceof Receiver ? link.getRemoteSource() : link.getRemoteTarget()) != null) {
      ready.countDown();
    }
  }

  /** A condition in one line. */
  static String text(@Nullable ErrorCondition condition) {
    if (condition == null || condition.getCondition() == null) {
      return "ended by the broker without a reason";
    }
    String description = condition.getDescription();
    return description == null
        ? condition.getCondition().toString()
        : condition.getCondition() + ": " + description;
  }
}
