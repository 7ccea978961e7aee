package io.amphora.amqp.engine;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.Close;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.End;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.amqp.transport.Open;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.impl.TransportImpl;
import org.jspecify.annotations.Nullable;

/**
 * The stock engine with another way to write frames: all fields always, our own windows,
 * dispositions merged into ranges (ten times fewer), own flows where the engine has no answer.
 * Owned by the connection loop.
 */
final class AmqpTransport extends TransportImpl {

  private final EngineSettings settings;
  private final FrameGuard guard;
  private final OutputBuffer output = new OutputBuffer(this::writeInto);

  /** A disposition that may still grow. */
  private final Disposition held = new Disposition();

  private int heldChannel = -1;

  AmqpTransport(EngineSettings settings, FrameGuard guard) {
    this.settings = settings;
    this.guard = guard;
    setMaxFrameSize(settings.maxFrameSize());
    setChannelMax(settings.channelMax());
    setOutboundFrameSizeLimit(Math.max(512, settings.maxFrameSize()));
    setMaxTransfersPerDelivery(0);
    setEmitFlowEventOnSend(false);
    setUseReadOnlyOutputBuffer(false);
    setFrameHandler(guard);
  }

  /** What waits to be written; {@link #take} takes it. */
  @Override
  public int pending() {
    return output.pending();
  }

  /** Takes out what waits to be written, as much as {@link #pending} said. */
  ByteBuffer take() {
    return output.take();
  }

  @Override
  public boolean writeInto(ByteBuffer output) {
    boolean done = super.writeInto(output);
    if (done) {
      return true;
    }
    boolean more = flushDisposition();
    more |= writeDueFlows();
    return more ? super.writeInto(output) : false;
  }

  /** Writes an empty frame: we are alive (conventions 2.3). */
  void heartbeat() {
    super.writeFrame(0, null, null, null);
  }

  private boolean writeDueFlows() {
    boolean any = false;
    for (int left = guard.dueLinks().size(); left > 0; left--) {
      LinkState link = guard.dueLinks().remove();
      if (link.flowDue && !link.closing && link.session.localChannel >= 0) {
        link.flowDue = false;
        link.session.flowSent();
        super.writeFrame(link.session.localChannel, FullFrame.flow(link.session, link), null, null);
        any = true;
      }
    }
    for (int left = guard.dueSessions().size(); left > 0; left--) {
      SessionGuard session = guard.dueSessions().remove();
      if (session.flowDue && session.localChannel >= 0) {
        session.flowSent();
        super.writeFrame(session.localChannel, FullFrame.flow(session, null), null, null);
        any = true;
      } else if (session.flowDue && !session.isEnded()) {
        guard.dueSessions().add(session);
      }
    }
    return any;
  }

  @Override
  protected void writeFrame(
      int channel, FrameBody body, ReadableBuffer payload, Runnable onPayloadTooLarge) {
    if (body instanceof Disposition disposition) {
      onDisposition(channel, disposition);
      return;
    }
    flushDisposition();
    if (body instanceof Transfer transfer) {
      transfer.setBatchable(true);
      onTransfer(channel, transfer, payload, onPayloadTooLarge);
      return;
    }
    super.writeFrame(channel, full(channel, body), payload, onPayloadTooLarge);
  }

  private void onTransfer(
      int channel, Transfer transfer, ReadableBuffer payload, Runnable onPayloadTooLarge) {
    SessionGuard session = guard.local(channel);
    LinkState link = session == null ? null : session.local(transfer.getHandle()).orElse(null);
    if (session != null && link != null && link.cut && link.partialOut) {
      // Some clients take an aborted delivery for a whole one: none of them misses its end, as the
      // link ends.
      dropPayload(transfer, payload);
      handleFlow(session.transferDropped(link), null, session.remoteChannel);
      return;
    }
    if (link != null && (link.aborting || link.cut)) {
      dropPayload(transfer, payload);
      transfer.setAborted(true);
    }
    if (link != null && link.sendsSettled) {
      // A delivery is settled from its first frame on, or it was not sent settled (2.7.5).
      transfer.setSettled(true);
    }
    if (session != null) {
      transfer.setDeliveryId(session.toWire(transfer.getDeliveryId()));
    }
    super.writeFrame(channel, transfer, payload, onPayloadTooLarge);
    if (session != null) {
      session.transferSent(link, transfer);
    }
  }

  private static void dropPayload(Transfer transfer, ReadableBuffer payload) {
    payload.position(payload.limit());
    transfer.setMore(false);
  }

  private FrameBody full(int channel, FrameBody body) {
    if (body instanceof Open open) {
      return FullFrame.open(open, settings, getCondition() != null);
    } else if (body instanceof Begin begin) {
      guard.begun(begin.getRemoteChannel().intValue(), channel);
      return FullFrame.begin(begin, settings);
    } else if (body instanceof Attach attach) {
      return attach(attach);
    } else if (body instanceof Flow flow) {
      return flow(channel, flow);
    } else if (body instanceof Detach detach) {
      SessionGuard session = guard.local(channel);
      if (session != null) {
        session.detached(detach.getHandle());
      }
      return FullFrame.detach(detach);
    } else if (body instanceof End end) {
      guard.ended(channel);
      return FullFrame.end(end);
    } else if (body instanceof Close close) {
      return FullFrame.close(close);
    }
    return body;
  }

  private FrameBody attach(Attach attach) {
    String alias = attach.getName();
    String name =
        guard
            .byAlias(alias)
            .map(
                link -> {
                  link.session.attached(link, attach.getHandle().intValue());
                  if (!link.remoteSends) {
                    attach.setInitialDeliveryCount(
                        link.session.toWire(attach.getInitialDeliveryCount()));
                  }
                  return link.name;
                })
            .orElse(alias);
    return FullFrame.attach(attach, name);
  }

  private FrameBody flow(int channel, Flow flow) {
    SessionGuard session = guard.local(channel);
    if (session == null) {
      return flow;
    }
    session.flowSent();
    LinkState link = flow.getHandle() == null ? null : session.local(flow.getHandle()).orElse(null);
    if (link != null) {
      int partial = link.partial ? 1 : 0;
      UnsignedInteger count = flow.getDeliveryCount();
      link.deliveryCount = (link.remoteSends ? count : session.toWire(count)).intValue() + partial;
      link.credit = flow.getLinkCredit().intValue() - partial;
      link.drain = flow.getDrain();
    }
    return FullFrame.flow(session, link);
  }

  private void onDisposition(int channel, Disposition disposition) {
    SessionGuard session = guard.local(channel);
    boolean receiver = disposition.getRole() == Role.RECEIVER;
    if (session == null
        || (receiver && disposition.getState() == null)
        || disposition.getState() == SettledBefore.INSTANCE) {
      // Freeing a link settles its deliveries: what became of them is not ours to invent (house
      // rule 4), so nothing is said.
      return;
    }
    UnsignedInteger id = disposition.getFirst();
    int first = receiver ? session.ids().toWire(id.intValue()) : session.toWire(id).intValue();
    if (heldChannel == channel && extend(first, disposition)) {
      return;
    }
    flushDisposition();
    heldChannel = channel;
    held.setRole(disposition.getRole());
    held.setFirst(UnsignedInteger.valueOf(first));
    held.setLast(UnsignedInteger.valueOf(first));
    held.setSettled(disposition.getSettled());
    held.setState(disposition.getState());
    held.setBatchable(true);
  }

  private boolean extend(int first, Disposition other) {
    boolean joins =
        held.getLast().intValue() + 1 == first
            && held.getRole() == other.getRole()
            && held.getSettled() == other.getSettled()
            && Objects.equals(held.getState(), other.getState());
    if (joins) {
      held.setLast(UnsignedInteger.valueOf(first));
    }
    return joins;
  }

  private boolean flushDisposition() {
    if (heldChannel < 0) {
      return false;
    }
    int channel = heldChannel;
    heldChannel = -1;
    super.writeFrame(channel, held, null, null);
    return true;
  }

  /** Answers a drain or an echo of a link with its counts as the wire knows them. */
  void answerFlow(@Nullable LinkState link) {
    if (link != null) {
      guard.linkFlowDue(link);
    }
  }
}
