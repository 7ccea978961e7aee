package io.amphora.amqp.engine;

import io.amphora.amqp.Situation;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.Close;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.EmptyFrame;
import org.apache.qpid.proton.amqp.transport.End;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.amqp.transport.Open;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.apache.qpid.proton.engine.TransportException;
import org.apache.qpid.proton.engine.impl.FrameHandler;
import org.apache.qpid.proton.framing.TransportFrame;
import org.jspecify.annotations.Nullable;

/**
 * Sees every frame before the engine does, and refuses or repairs what the engine would stumble
 * over: unknown channels and handles end in exceptions or silence there. Owned by the connection
 * loop.
 */
final class FrameGuard implements FrameHandler, FrameBody.FrameBodyHandler<TransportFrame> {

  /** What the guard needs done. */
  interface Actions {
    /** The frame is acceptable: give it to the engine, then report its events. */
    boolean forward(TransportFrame frame);

    /** The peer detaches this link: see that its attach is answered. */
    void beforeDetach(LinkState link);

    /** The peer ends a session: write what is due on it, our own End maybe. */
    void beforeEnd();

    void refuse(SessionGuard session, Verdict verdict);

    void close(Verdict.CloseConnection verdict);

    void closed(TransportException error);

    boolean accepting();
  }

  private final EngineSettings settings;
  private final Actions actions;
  private final Map<Integer, SessionGuard> remote = new HashMap<>();
  private final Map<Integer, SessionGuard> local = new HashMap<>();
  private final Map<String, LinkState> aliases = new HashMap<>();
  private final ArrayDeque<SessionGuard> dueSessions = new ArrayDeque<>();
  private final ArrayDeque<LinkState> dueLinks = new ArrayDeque<>();
  private long nextAlias;
  private final ArrayDeque<TransportFrame> kept = new ArrayDeque<>();
  private boolean holding;
  private boolean opened;
  private boolean stop;
  private int peerChannelMax = 65535;
  private long peerIdleMillis;
  private @Nullable SessionGuard begun;

  FrameGuard(EngineSettings settings, Actions actions) {
    this.settings = settings;
    this.actions = actions;
  }

  /** Frames are kept, not looked at: as many as one read of the socket brings. */
  void hold() {
    holding = true;
  }

  boolean isHolding() {
    return holding;
  }

  /** Looks at what was kept. */
  void resume() {
    holding = false;
    while (!kept.isEmpty() && !holding && actions.accepting()) {
      handleFrame(kept.remove());
    }
  }

  @Override
  public boolean handleFrame(TransportFrame frame) {
    if (holding) {
      kept.add(frame);
      return false;
    }
    FrameBody body = frame.getBody();
    if (!opened && !(body instanceof Open || body instanceof Close || body instanceof EmptyFrame)) {
      return close(Situation.ILLEGAL_STATE, "the first frame has to be an open");
    }
    Optional<String> missing = MandatoryFields.missing(body);
    if (missing.isPresent()) {
      return close(Situation.MALFORMED, "a frame without its mandatory field " + missing.get());
    }
    stop = false;
    body.invoke(this, frame.getPayload(), frame);
    return stop;
  }

  private boolean close(Situation situation, String description) {
    actions.close(new Verdict.CloseConnection(situation.condition(), description));
    return true;
  }

  @Override
  public void closed(TransportException error) {
    actions.closed(error);
  }

  @Override
  public boolean isHandlingFrames() {
    return actions.accepting();
  }

  boolean opened() {
    return opened;
  }

  /** The peer's idle-time-out, 0 when it has none; at least 1 s (conventions 2.3). */
  long peerIdleMillis() {
    return peerIdleMillis;
  }

  private void apply(SessionGuard session, Verdict verdict, TransportFrame frame) {
    if (verdict instanceof Verdict.Pass) {
      stop = actions.forward(frame);
    } else if (verdict instanceof Verdict.CloseConnection fatal) {
      actions.close(fatal);
      stop = true;
    } else if (!(verdict instanceof Verdict.Drop)) {
      actions.refuse(session, verdict);
    }
  }

  /** The session of the frame's channel; empty when the frame is answered or dropped. */
  private Optional<SessionGuard> sessionOf(TransportFrame frame) {
    SessionGuard session = remote.get(frame.getChannel());
    if (session == null) {
      stop = close(Situation.NOT_ALLOWED, "no session was begun on channel " + frame.getChannel());
      return Optional.empty();
    }
    return session.isEnded() ? Optional.empty() : Optional.of(session);
  }

  @Override
  public void handleOpen(Open open, Binary payload, TransportFrame frame) {
    if (opened) {
      stop = close(Situation.NOT_ALLOWED, "a second open on one connection");
      return;
    }
    opened = true;
    if (open.getChannelMax() != null) {
      peerChannelMax = open.getChannelMax().intValue();
    }
    UnsignedInteger idle = open.getIdleTimeOut();
    if (idle != null && idle.longValue() > 0) {
      peerIdleMillis = Math.max(1000, idle.longValue());
    }
    stop = actions.forward(frame);
  }

  @Override
  public void handleBegin(Begin begin, Binary payload, TransportFrame frame) {
    int channel = frame.getChannel();
    if (channel > settings.channelMax()) {
      stop =
          close(
              Situation.BEYOND_LIMITS,
              "channel " + channel + " is above channel-max " + settings.channelMax());
    } else if (remote.containsKey(channel)) {
      stop = close(Situation.NOT_ALLOWED, "a session was begun on channel " + channel + " already");
    } else if (begin.getRemoteChannel() != null) {
      stop =
          close(
              Situation.NOT_ALLOWED,
              "a begin with remote-channel, but the broker begins no sessions");
    } else if (remote.size() > peerChannelMax) {
      stop =
          close(
              Situation.RESOURCE_LIMIT,
              "more sessions than your channel-max " + peerChannelMax + " allows");
    } else {
      SessionGuard session = new SessionGuard(this, channel, begin, settings);
      remote.put(channel, session);
      begun = session;
      stop = actions.forward(frame);
      begun = null;
    }
  }

  /** The session whose Begin is being handled. */
  Optional<SessionGuard> begun() {
    return Optional.ofNullable(begun);
  }

  @Override
  public void handleAttach(Attach attach, Binary payload, TransportFrame frame) {
    sessionOf(frame).ifPresent(s -> apply(s, s.onAttach(attach), frame));
  }

  @Override
  public void handleFlow(Flow flow, Binary payload, TransportFrame frame) {
    sessionOf(frame).ifPresent(s -> apply(s, s.onFlow(flow), frame));
  }

  @Override
  public void handleTransfer(Transfer transfer, Binary payload, TransportFrame frame) {
    SessionGuard session = remote.get(frame.getChannel());
    if (session == null || session.isEnded()) {
      sessionOf(frame);
      return;
    }
    apply(session, session.onTransfer(transfer), frame);
  }

  @Override
  public void handleDisposition(Disposition disposition, Binary payload, TransportFrame frame) {
    sessionOf(frame).ifPresent(s -> apply(s, disposition, frame));
  }

  private void apply(SessionGuard session, Disposition disposition, TransportFrame frame) {
    Verdict verdict = session.onDisposition(disposition);
    if (!(verdict instanceof Verdict.Pass)) {
      apply(session, verdict, frame);
      return;
    }
    for (SessionGuard.Range range : session.ranges(disposition)) {
      disposition.setFirst(UnsignedInteger.valueOf(range.first()));
      disposition.setLast(UnsignedInteger.valueOf(range.last()));
      apply(session, verdict, frame);
    }
  }

  @Override
  public void handleDetach(Detach detach, Binary payload, TransportFrame frame) {
    sessionOf(frame).ifPresent(s -> apply(s, s.onDetach(detach), frame));
  }

  @Override
  public void handleEnd(End end, Binary payload, TransportFrame frame) {
    SessionGuard session = remote.get(frame.getChannel());
    if (session == null) {
      stop = close(Situation.NOT_ALLOWED, "the end of a session that was not begun");
      return;
    }
    actions.beforeEnd();
    remote.remove(frame.getChannel());
    session.forEachLink(link -> aliases.remove(link.alias));
    stop = actions.forward(frame);
  }

  @Override
  public void handleClose(Close close, Binary payload, TransportFrame frame) {
    stop = actions.forward(frame);
  }

  LinkState newLink(SessionGuard session, String name, int handle, boolean sends) {
    LinkState link = new LinkState(session, "#" + nextAlias++, name, handle, sends);
    aliases.put(link.alias, link);
    return link;
  }

  void beforeDetach(LinkState link) {
    actions.beforeDetach(link);
  }

  void forgetIfOver(LinkState link) {
    if (link.over()) {
      aliases.remove(link.alias);
    }
  }

  void forget(String alias) {
    aliases.remove(alias);
  }

  Optional<LinkState> byAlias(String alias) {
    return Optional.ofNullable(aliases.get(alias));
  }

  /** Our Begin goes out. */
  void begun(int remoteChannel, int localChannel) {
    SessionGuard session = remote.get(remoteChannel);
    if (session != null) {
      session.localChannel = localChannel;
      local.put(localChannel, session);
    }
  }

  /** Our End goes out. */
  void ended(int localChannel) {
    SessionGuard session = local.remove(localChannel);
    if (session != null) {
      session.ended();
      session.localChannel = -1;
    }
  }

  @Nullable SessionGuard local(int localChannel) {
    return local.get(localChannel);
  }

  void sessionFlowDue(SessionGuard session) {
    if (!session.flowDue) {
      session.flowDue = true;
      dueSessions.add(session);
    }
  }

  void linkFlowDue(LinkState link) {
    if (!link.flowDue) {
      link.flowDue = true;
      if (link.localHandle >= 0) {
        dueLinks.add(link);
      }
    }
  }

  ArrayDeque<SessionGuard> dueSessions() {
    return dueSessions;
  }

  ArrayDeque<LinkState> dueLinks() {
    return dueLinks;
  }
}
