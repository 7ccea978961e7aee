package io.amphora.amqp.server;

import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.engine.EngineListener;
import io.amphora.amqp.engine.EngineSettings;
import io.amphora.amqp.link.ConnectionLinks;
import io.amphora.amqp.link.LinkOptions;
import io.amphora.amqp.link.Traffic;
import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.sasl.Identity;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * The bridge between a socket and its engine: one read, all that follows from it, one flush. Owned
 * by the connection loop.
 */
final class AmqpConnection implements Traffic, ConnectionLinks.EngineFactory {

  /** Bytes given to the core and not answered above which the socket is not read. */
  private static final long PENDING_LIMIT = 16 << 20;

  /** The same when the large messages of all connections wait for the disk. */
  private static final long LEAST_PENDING_LIMIT = 256 << 10;

  /** Turns of filling and writing before other sockets of the loop get theirs. */
  private static final int TURNS = 16;

  /** Time for the peer to answer our Close. */
  private static final long CLOSE_GRACE_NANOS = 1_000_000_000;

  private static final long LINGER_NANOS = 50_000_000;

  /** What all connections of a listener share. */
  record Shared(
      Broker broker,
      EngineSettings settings,
      LinkOptions links,
      AmqpMetrics metrics,
      CredentialCheck.ForConnection credentials) {}

  private final Shared shared;
  private final Loop loop;
  private final NetSocket socket;
  private final Runnable gone;
  private final ConnectionLinks links;
  private final AmqpEngine engine;
  private Loop.@Nullable Cancellable timer;
  private long pendingBytes;
  private Identity watched = Identity.ANONYMOUS;
  private boolean opened;
  private boolean paused;
  private boolean pumping;
  private boolean pumpPlanned;
  private boolean closing;
  private boolean closed;

  AmqpConnection(Shared shared, Loop loop, NetSocket socket, Runnable gone) {
    this.shared = shared;
    this.loop = loop;
    this.socket = socket;
    this.gone = gone;
    this.links = new ConnectionLinks(shared.broker(), loop, shared.links(), this, this);
    this.engine = links.engine();
  }

  @Override
  public AmqpEngine create(EngineListener listener) {
    CredentialCheck credentials = shared.credentials().on(loop, PeerCertificate.user(socket));
    return new AmqpEngine(shared.settings(), listener, credentials, this::wake, loop.nowNanos());
  }

  void start() {
    shared.metrics().connections.increment();
    shared.metrics().opened.increment();
    socket.handler(this::onRead);
    socket.drainHandler(done -> pump());
    socket.closeHandler(done -> onLost());
    socket.exceptionHandler(error -> socket.close());
    tick();
  }

  private void onRead(Buffer buffer) {
    // The bytes where they lie: getBytes would copy them.
    engine.input(((BufferInternal) buffer).getByteBuf().nioBuffer(), loop.nowNanos());
    pump();
    updatePause();
    watchClock();
  }

  /** How much silence the peer tolerates, or how long its token is good, is known only now. */
  private void watchClock() {
    if (opened != engine.opened() || !watched.equals(engine.identity())) {
      opened = engine.opened();
      watched = engine.identity();
      tickSooner();
    }
  }

  private void tickSooner() {
    if (timer != null) {
      timer.cancel();
    }
    tick();
  }

  private void updatePause() {
    boolean full = shared.links().memory().isIncomingFull();
    long limit = full ? LEAST_PENDING_LIMIT : PENDING_LIMIT;
    boolean wanted = engine.inputPaused() || pendingBytes > limit;
    boolean stay = paused && pendingBytes > limit / 2;
    if (wanted && !paused) {
      paused = true;
      socket.pause();
    } else if (!wanted && paused && !stay) {
      paused = false;
      socket.resume();
    }
  }

  /** Something came from another loop: write once for all that comes in this turn. */
  @Override
  public void wake() {
    if (!pumpPlanned && !pumping && !closed) {
      pumpPlanned = true;
      loop.execute(
          () -> {
            pumpPlanned = false;
            pump();
            updatePause();
            watchClock();
          });
    }
  }

  private void pump() {
    if (pumping || closed) {
      return;
    }
    pumping = true;
    boolean more = true;
    for (int turn = 0; more && turn < TURNS && !socket.writeQueueFull(); turn++) {
      more = fill();
      more |= write();
    }
    pumping = false;
    if (more && !socket.writeQueueFull()) {
      wake();
    }
    if (engine.outputDone()) {
      onOutputDone();
    } else if (engine.isEnding()) {
      cutLater();
    }
  }

  private boolean fill() {
    boolean[] any = new boolean[1];
    engine.run(() -> any[0] = links.fill());
    return any[0];
  }

  private boolean write() {
    boolean any = false;
    while (!socket.writeQueueFull()) {
      ByteBuffer out = engine.take(loop.nowNanos());
      if (!out.hasRemaining()) {
        break;
      }
      // Wrapped, because Buffer.buffer would copy once more.
      socket.write(BufferInternal.buffer(Unpooled.wrappedBuffer(out)));
      any = true;
    }
    return any;
  }

  private void onOutputDone() {
    engine.reportClosed();
    if (engine.peerClosed()) {
      socket.close();
    } else if (engine.inputDone() && !closing) {
      // A reset could overtake what was written last: let the peer read it.
      loop.schedule(LINGER_NANOS, socket::close);
    }
    cutLater();
  }

  /** Behind every way to end: the peer may not read what was written last (B17). */
  private void cutLater() {
    if (!closing && !closed) {
      closing = true;
      loop.schedule(CLOSE_GRACE_NANOS, this::cut);
    }
  }

  /**
   * Closes the socket whatever waits to be written: the ordinary close comes behind that, and never
   * when the peer does not read (B17).
   */
  private void cut() {
    Object unused = ((NetSocketInternal) socket).channelHandlerContext().close();
  }

  /** Ends the connection from our side. */
  void close(Symbol condition, String description) {
    engine.close(condition, description);
    pump();
    // Whatever the peer does, and however full its window is (B17).
    loop.schedule(CLOSE_GRACE_NANOS, this::cut);
  }

  private void tick() {
    if (closed) {
      return;
    }
    if (paused) {
      engine.notRead(loop.nowNanos());
    }
    long next = Math.min(engine.tick(loop.nowNanos()), engine.expire(loop.nowMillis()));
    pump();
    timer = loop.schedule(Math.max(1_000_000, next), this::tick);
  }

  private void onLost() {
    if (closed) {
      return;
    }
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    engine.lost();
    shared.metrics().connections.decrement();
    gone.run();
  }

  @Override
  public void received(int messages) {
    shared.metrics().received.add(messages);
  }

  @Override
  public void dropped() {
    shared.metrics().dropped.increment();
  }

  @Override
  public void sent(int messages) {
    shared.metrics().sent.add(messages);
  }

  @Override
  public void links(int change) {
    shared.metrics().links.add(change);
  }

  @Override
  public void pendingBytes(long change) {
    pendingBytes += change;
    shared.links().memory().incoming(change);
  }
}
