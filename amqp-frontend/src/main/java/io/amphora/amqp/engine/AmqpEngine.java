package io.amphora.amqp.engine;

import io.amphora.amqp.Situation;
import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.sasl.Identity;
import io.amphora.amqp.sasl.SaslExchange;
import io.amphora.amqp.sasl.TokenCheck;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One AMQP connection without a socket: bytes and a time in, bytes out. SASL first, then the
 * protocol engine behind its guard. Owned by the connection loop; not reentrant.
 */
public final class AmqpEngine {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpEngine.class);
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final EngineSettings settings;
  private final EngineListener listener;
  private final CredentialCheck credentials;
  private final SaslExchange sasl;
  private final ArrayDeque<ByteBuffer> saslOutput = new ArrayDeque<>();
  private final IdleClock clock;
  private final EngineCore core;
  private Identity identity = Identity.ANONYMOUS;
  private boolean started;
  private boolean closedReported;
  private boolean broken;

  /**
   * @param wake called when there is something to do outside of a call: a password was checked
   * @param nowNanos monotonic time
   */
  public AmqpEngine(
      EngineSettings settings,
      EngineListener listener,
      CredentialCheck credentials,
      Runnable wake,
      long nowNanos) {
    this.settings = settings;
    this.listener = listener;
    this.credentials = credentials;
    this.sasl = new SaslExchange(settings.anonymous(), credentials, () -> onSaslResumed(wake));
    this.clock = new IdleClock(settings, nowNanos);
    this.core = new EngineCore(settings, listener);
  }

  private void onSaslResumed(Runnable wake) {
    if (broken) {
      // The peer left meanwhile: what it had sent ahead must not make links that nobody ends.
      return;
    }
    afterSasl();
    wake.run();
  }

  /** Takes what was read. */
  public void input(ByteBuffer bytes, long nowNanos) {
    clock.read(nowNanos);
    if (broken) {
      bytes.position(bytes.limit());
    } else if (started) {
      feed(bytes);
    } else {
      sasl.input(bytes);
      afterSasl();
    }
  }

  private void afterSasl() {
    sasl.takeOutput().forEach(bytes -> saslOutput.add(ByteBuffer.wrap(bytes)));
    if (!started && sasl.state() == SaslExchange.State.DONE) {
      started = true;
      identity = sasl.identity();
      feed(sasl.rest());
    } else if (sasl.state() == SaslExchange.State.FAILED) {
      broken = true;
    }
  }

  private void feed(ByteBuffer bytes) {
    try {
      core.feed(bytes);
      if (!closedReported) {
        listener.onReadDone();
      }
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** Runs work of the front end that may touch the engine; its failure closes the connection. */
  public void run(Runnable work) {
    if (broken || closedReported) {
      return;
    }
    try {
      work.run();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** A caller that is interrupted by an exception would never write again. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      if (broken) {
        core.kill();
      } else {
        fail(e);
      }
    }
  }

  private void fail(RuntimeException e) {
    LOG.warn("connection of {} failed in the engine", settings.containerId(), e);
    core.condition(
        Situation.INTERNAL.error("the broker failed to serve this connection; see its log"));
    broken = true;
  }

  /**
   * Takes out what is to be written now, empty when there is nothing. The array is the caller's.
   */
  public ByteBuffer take(long nowNanos) {
    ByteBuffer taken = saslOutput.isEmpty() ? fromCore() : saslOutput.remove();
    if (taken.hasRemaining()) {
      clock.wrote(nowNanos);
    }
    return taken;
  }

  private ByteBuffer fromCore() {
    if (!started) {
      return NOTHING;
    }
    try {
      ByteBuffer taken = core.take();
      guarded(core::dispatch);
      return taken;
    } catch (RuntimeException e) {
      if (broken) {
        core.kill();
        return NOTHING;
      }
      fail(e);
      return fromCore();
    }
  }

  /** True when nothing more will be written once {@link #take} gives nothing. */
  public boolean outputDone() {
    if (!saslOutput.isEmpty()) {
      return false;
    }
    return started ? core.outputDone() : broken;
  }

  /** True when the peer sent its Close, or can send nothing that matters any more. */
  public boolean inputDone() {
    return broken || core.remoteClosed();
  }

  /** True while the socket should not be read: a password is checked, or the open is. */
  public boolean inputPaused() {
    return sasl.state() == SaslExchange.State.CHECKING || core.isHolding();
  }

  /**
   * Takes no further frames, until {@link #resume}: the open is not answered yet, and what was sent
   * behind it must do nothing before it is known to hold.
   */
  public void hold() {
    core.hold();
  }

  /** Takes the frames that came meanwhile. */
  public void resume() {
    core.resume();
    if (!closedReported) {
      listener.onReadDone();
    }
  }

  /** The socket was not read on purpose: silence says nothing about the peer. */
  public void notRead(long nowNanos) {
    clock.read(nowNanos);
  }

  /** True when the connection ends for a reason of ours. */
  public boolean isEnding() {
    return broken || core.hasCondition();
  }

  /** True when the peer sent its Close. */
  public boolean peerClosed() {
    return core.remoteClosed();
  }

  /** Whether the peer's open was read: its timeout is known. */
  public boolean opened() {
    return core.opened();
  }

  /** Who the peer is now; of meaning once it opened. */
  public Identity identity() {
    return identity;
  }

  /** From now on the peer is somebody else: a token was put on {@code $cbs}. */
  public void identify(Identity proved) {
    identity = proved;
  }

  /** Checks bearer tokens for this connection; empty when there are no keys to do it with. */
  public Optional<TokenCheck> tokens() {
    return credentials.tokens();
  }

  /**
   * Looks at the clock: drops a silent peer, sends a heartbeat.
   *
   * @return when to call again, nanoseconds from now
   */
  public long tick(long nowNanos) {
    IdleClock.Due due = clock.due(nowNanos, core.opened(), core.peerIdleMillis());
    if (due == IdleClock.Due.HEARTBEAT) {
      guarded(core::heartbeat);
    } else if (due == IdleClock.Due.OPEN_LATE) {
      if (!started) {
        sasl.giveUp();
        afterSasl();
      }
      broken = true;
      core.kill();
    } else if (due == IdleClock.Due.IDLE) {
      close(
          Situation.CONNECTION_FORCED.condition(),
          "nothing was heard for " + settings.announcedIdleMillis() * 2 / 1000 + " s");
    }
    return clock.nextNanos(core.opened(), core.peerIdleMillis());
  }

  /**
   * Ends the connection when what proved its identity is good no longer.
   *
   * @return when to call again, nanoseconds from now
   */
  public long expire(long nowMillis) {
    long left = identity.expiresMillis() - nowMillis;
    if (left > 0) {
      return left > Long.MAX_VALUE / NANOS_PER_MILLI ? Long.MAX_VALUE : left * NANOS_PER_MILLI;
    }
    if (!isEnding()) {
      close(Situation.UNAUTHORIZED.condition(), "the token expired; log in with a new one");
    }
    return Long.MAX_VALUE;
  }

  /** Ends the connection with a Close; what is queued on links is not waited for. */
  public void close(Symbol condition, String description) {
    close(new ErrorCondition(condition, description));
  }

  /** Ends the connection with a Close; what is queued on links is not waited for. */
  public void close(ErrorCondition error) {
    if (!started) {
      broken = true;
      return;
    }
    core.condition(error);
  }

  /** The socket is gone. */
  public void lost() {
    broken = true;
    reportClosed();
  }

  /** Tells the listener once that all is over. */
  public void reportClosed() {
    if (!closedReported) {
      closedReported = true;
      core.finish();
      listener.onClosed();
    }
  }

  /** The link's name as the peer gave it. */
  public String nameOf(Link link) {
    return core.nameOf(link);
  }

  /** Sends a flow with the link's counts: the answer to a drain when there was no credit. */
  public void answerFlow(Link link) {
    core.answerFlow(link);
  }

  /** Leaves the Detach that is being reported unanswered until {@link #answerDetach}. */
  public void holdDetach(Link link) {
    core.stateOf(link).ifPresent(state -> state.held = true);
  }

  /**
   * Answers a Detach that was held back.
   *
   * @param error why what it asked for was not done, null when it was
   */
  public void answerDetach(Link link, @Nullable ErrorCondition error) {
    core.answerDetach(link, error);
  }

  /** Ends a link with an error; later frames for it are dropped until its Detach. */
  public void detach(Link link, Symbol condition, String description) {
    core.detach(link, new ErrorCondition(condition, description));
  }

  /** All deliveries of the link are settled when they are sent, from their first frame on. */
  public void sendsSettled(Link link) {
    core.stateOf(link).ifPresent(state -> state.sendsSettled = true);
  }

  /** A settled delivery that was sent in several steps is over. */
  public static void forget(Delivery delivery) {
    delivery.disposition(SettledBefore.INSTANCE);
    delivery.settle();
  }

  /**
   * Ends a delivery that the peer settled before it had all of it: what the engine still has of it
   * is not sent, the peer is told that it was aborted.
   *
   * @param delivery the link's current one, of which something was written
   * @return false when nothing can be written now, because of the window or what waits already: the
   *     engine would forget about it, so try again later
   */
  public boolean abort(Delivery delivery) {
    return core.abort(delivery);
  }

  /**
   * Ends a delivery whose link ends: what has begun is left as it is, as some clients take an
   * aborted delivery for a complete one.
   */
  public void cut(Delivery delivery) {
    core.stateOf(delivery.getLink()).ifPresent(state -> state.cut = true);
    delivery.settle();
  }

  /** The connection of the engine. */
  public Connection connection() {
    return core.connection();
  }

  /** A session of the peer, while it lasts. */
  public static boolean isOpen(Session session) {
    return session.getLocalState() == EndpointState.ACTIVE
        && session.getRemoteState() == EndpointState.ACTIVE;
  }

  /** Where SASL stands, for tests and logs. */
  public Optional<String> saslState() {
    return started ? Optional.empty() : Optional.of(sasl.state().name());
  }
}
