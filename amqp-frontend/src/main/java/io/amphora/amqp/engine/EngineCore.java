package io.amphora.amqp.engine;

import io.amphora.amqp.Situation;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.TransportConditionException;
import org.apache.qpid.proton.engine.TransportException;
import org.apache.qpid.proton.engine.impl.CollectorImpl;
import org.apache.qpid.proton.framing.TransportFrame;
import org.jspecify.annotations.Nullable;

/**
 * The protocol engine from the AMQP header on: transport, guard and events, tied together. Events
 * are reported after each frame, so that what they cause is in order. Owned by the connection loop.
 */
final class EngineCore implements FrameGuard.Actions {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final EngineListener listener;
  private final FrameGuard guard;
  private final AmqpTransport transport;
  private final FrameReader reader;
  private final Connection connection = Proton.connection();
  private final Collector collector = new CollectorImpl();
  private boolean killed;
  private boolean finished;

  EngineCore(EngineSettings settings, EngineListener listener) {
    this.listener = listener;
    this.guard = new FrameGuard(settings, this);
    this.transport = new AmqpTransport(settings, guard);
    this.reader = new FrameReader(settings.maxFrameSize(), guard);
    connection.collect(collector);
    connection.setContainer(settings.containerId());
    transport.bind(connection);
  }

  void feed(ByteBuffer bytes) {
    try {
      reader.read(bytes);
    } catch (TransportException e) {
      condition(Situation.MALFORMED.error(String.valueOf(e.getMessage())));
    }
    dispatch();
  }

  @Override
  public boolean forward(TransportFrame frame) {
    boolean end = transport.handleFrame(frame);
    dispatch();
    return end;
  }

  /** Reports what happened. */
  void dispatch() {
    for (Event event = collector.peek(); event != null; event = collector.peek()) {
      Event.Type type = event.getType();
      Object context = event.getContext();
      collector.pop();
      if (!finished || type == Event.Type.CONNECTION_REMOTE_CLOSE) {
        onEvent(type, context);
      }
    }
  }

  private void onEvent(Event.Type type, Object context) {
    switch (type) {
      case CONNECTION_REMOTE_OPEN -> listener.onOpen(connection);
      case CONNECTION_REMOTE_CLOSE -> {
        if (!finished) {
          listener.onClosing();
        }
        connection.close();
      }
      case SESSION_REMOTE_OPEN -> onBegin((Session) context);
      case SESSION_REMOTE_CLOSE -> onEnd((Session) context);
      case LINK_REMOTE_OPEN -> onAttach((Link) context);
      case LINK_REMOTE_CLOSE -> onDetach((Link) context, true);
      case LINK_REMOTE_DETACH -> onDetach((Link) context, false);
      case LINK_FLOW -> {
        if (((Link) context).getLocalState() != EndpointState.CLOSED) {
          listener.onFlow((Link) context);
        }
      }
      case DELIVERY -> listener.onDelivery((org.apache.qpid.proton.engine.Delivery) context);
      default -> {}
    }
  }

  private void onBegin(Session session) {
    guard
        .begun()
        .ifPresent(
            state -> {
              state.session(session);
              session.setContext(state);
            });
    session.open();
    // The engine has no incoming window before its Begin is written, and calls a pipelined
    // transfer a violation.
    transport.pending();
  }

  private void onEnd(Session session) {
    if (session.getLocalState() != EndpointState.CLOSED) {
      listener.onEnd(session);
      session.close();
    }
    session.free();
  }

  private void onAttach(Link link) {
    guard.byAlias(link.getName()).ifPresent(state -> state.link(link));
    listener.onAttach(link);
  }

  private void onDetach(Link link, boolean closed) {
    // Also for a link we refused: its owner knows it until now.
    listener.onDetach(link, closed);
    if (stateOf(link).map(state -> state.held).orElse(false)) {
      return;
    }
    if (link.getLocalState() != EndpointState.CLOSED) {
      if (closed) {
        link.close();
      } else {
        link.detach();
      }
    }
    link.free();
  }

  @Override
  public void beforeEnd() {
    transport.pending();
  }

  /**
   * The engine forgets an attach that is not answered when its detach comes: answer it first, or
   * the peer waits for ever.
   */
  @Override
  public void beforeDetach(LinkState state) {
    state
        .link()
        .filter(link -> state.localHandle < 0)
        .ifPresent(
            link -> {
              if (link.getLocalState() == EndpointState.UNINITIALIZED) {
                listener.onDetach(link, true);
                openUnanswered(link);
              }
              transport.pending();
            });
  }

  /** An attach that its owner did not answer; its detach follows. */
  private static void openUnanswered(Link link) {
    link.setSenderSettleMode(link.getRemoteSenderSettleMode());
    link.setReceiverSettleMode(link.getRemoteReceiverSettleMode());
    link.open();
  }

  @Override
  public void refuse(SessionGuard session, Verdict verdict) {
    if (verdict instanceof Verdict.EndSession end) {
      session.ended();
      session.session().ifPresent(s -> endSession(s, end));
    } else if (verdict instanceof Verdict.DetachLink detach) {
      ErrorCondition error = new ErrorCondition(detach.condition(), detach.description());
      detach.link().link().ifPresent(link -> detach(link, error));
    }
  }

  private void endSession(Session session, Verdict.EndSession end) {
    listener.onEnd(session);
    session.setCondition(new ErrorCondition(end.condition(), end.description()));
    session.close();
  }

  void detach(Link link, ErrorCondition error) {
    guard.byAlias(link.getName()).ifPresent(state -> state.closing = true);
    if (link.getLocalState() != EndpointState.CLOSED) {
      listener.onDetach(link, true);
      if (link.getLocalState() == EndpointState.UNINITIALIZED) {
        openUnanswered(link);
      }
      link.setCondition(error);
      link.close();
    }
  }

  /** Answers a detach that was held back. */
  void answerDetach(Link link, @Nullable ErrorCondition error) {
    boolean there = AmqpEngine.isOpen(link.getSession()) && !hasCondition() && !remoteClosed();
    if (there && link.getLocalState() == EndpointState.ACTIVE) {
      if (error != null) {
        link.setCondition(error);
      }
      link.close();
      link.free();
    } else {
      guard.forget(link.getName());
    }
  }

  void hold() {
    guard.hold();
  }

  boolean isHolding() {
    return guard.isHolding();
  }

  /** Goes on with what came meanwhile. */
  void resume() {
    guard.resume();
    dispatch();
  }

  @Override
  public void close(Verdict.CloseConnection verdict) {
    transport.closed(new TransportConditionException(verdict.description(), verdict.condition()));
  }

  @Override
  public void closed(TransportException error) {
    transport.closed(error);
  }

  @Override
  public boolean accepting() {
    return transport.isHandlingFrames();
  }

  void condition(ErrorCondition error) {
    if (transport.getCondition() == null) {
      transport.setCondition(error);
    }
  }

  boolean hasCondition() {
    return transport.getCondition() != null;
  }

  void heartbeat() {
    if (!killed && transport.pending() == 0) {
      transport.heartbeat();
    }
  }

  /** Takes out what is to be written now, empty when there is nothing. */
  ByteBuffer take() {
    return killed || transport.pending() <= 0 ? NOTHING : transport.take();
  }

  boolean outputDone() {
    return killed || transport.pending() < 0;
  }

  /** The listener is done: of what still comes only the peer's Close counts. */
  void finish() {
    finished = true;
  }

  void kill() {
    killed = true;
  }

  boolean remoteClosed() {
    return connection.getRemoteState() == EndpointState.CLOSED;
  }

  boolean opened() {
    return guard.opened();
  }

  long peerIdleMillis() {
    return guard.peerIdleMillis();
  }

  Connection connection() {
    return connection;
  }

  String nameOf(Link link) {
    return guard.byAlias(link.getName()).map(state -> state.name).orElse(link.getName());
  }

  void answerFlow(Link link) {
    guard.byAlias(link.getName()).ifPresent(transport::answerFlow);
  }

  Optional<LinkState> stateOf(Link link) {
    return guard.byAlias(link.getName());
  }

  boolean abort(org.apache.qpid.proton.engine.Delivery delivery) {
    LinkState state = stateOf(delivery.getLink()).orElse(null);
    boolean written = !killed && transport.pending() == 0;
    if (state == null || !written || !state.session.hasRoom()) {
      return false;
    }
    state.aborting = true;
    delivery.settle();
    transport.pending();
    return true;
  }
}
