package io.amphora.amqp.engine;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.Close;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.End;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.amqp.transport.Open;
import org.jspecify.annotations.Nullable;

/**
 * A performative with its full number of fields: some decoders index fields by position and fail on
 * trimmed lists (conventions 0.3). Transfers and dispositions have a faster way, see {@link
 * AmqpTransport}.
 */
final class FullFrame implements FrameBody, DescribedType {

  /** Largest window there is; what limits us is credit and the socket. */
  static final UnsignedInteger OUTGOING_WINDOW = UnsignedInteger.valueOf(Integer.MAX_VALUE);

  private static final Symbol ESTABLISHMENT_FAILED =
      Symbol.valueOf("amqp:connection-establishment-failed");

  /** Clients take an absent size for 0, and one of 64 bits for -1 (conventions 3.2). */
  private static final UnsignedLong ANY_SIZE = UnsignedLong.valueOf(Integer.MAX_VALUE);

  private final UnsignedLong descriptor;
  private final List<@Nullable Object> fields;

  FullFrame(int code, @Nullable Object... fields) {
    this.descriptor = UnsignedLong.valueOf(code);
    this.fields = Arrays.asList(fields);
  }

  /**
   * @param failed whether a Close with the reason follows: some clients would tell their
   *     application of a connection that is open (conventions 2.5)
   */
  static FullFrame open(Open open, EngineSettings settings, boolean failed) {
    Map<Object, Object> properties = new HashMap<>(orEmpty(open.getProperties()));
    if (failed) {
      properties.put(ESTABLISHMENT_FAILED, true);
    }
    return new FullFrame(
        0x10,
        settings.containerId(),
        open.getHostname(),
        open.getMaxFrameSize(),
        open.getChannelMax(),
        UnsignedInteger.valueOf(settings.announcedIdleMillis()),
        open.getOutgoingLocales(),
        open.getIncomingLocales(),
        open.getOfferedCapabilities(),
        open.getDesiredCapabilities(),
        properties);
  }

  static FullFrame begin(Begin begin, EngineSettings settings) {
    return new FullFrame(
        0x11,
        begin.getRemoteChannel(),
        UnsignedInteger.valueOf(begin.getNextOutgoingId().intValue() + settings.counterStart()),
        UnsignedInteger.valueOf(EngineSettings.INCOMING_WINDOW),
        OUTGOING_WINDOW,
        UnsignedInteger.valueOf(settings.handleMax()),
        begin.getOfferedCapabilities(),
        begin.getDesiredCapabilities(),
        begin.getProperties());
  }

  static FullFrame attach(Attach attach, String name) {
    return new FullFrame(
        0x12,
        name,
        attach.getHandle(),
        attach.getRole().getValue(),
        attach.getSndSettleMode().getValue(),
        attach.getRcvSettleMode().getValue(),
        FullTerminus.of(attach.getSource()),
        FullTerminus.of(attach.getTarget()),
        null,
        false,
        attach.getInitialDeliveryCount(),
        attach.getMaxMessageSize() == null ? ANY_SIZE : attach.getMaxMessageSize(),
        attach.getOfferedCapabilities(),
        attach.getDesiredCapabilities(),
        orEmpty(attach.getProperties()));
  }

  /** A flow of a session, or of one of its links. */
  static FullFrame flow(SessionGuard session, @Nullable LinkState link) {
    return new FullFrame(
        0x13,
        UnsignedInteger.valueOf(session.nextIncomingId()),
        UnsignedInteger.valueOf(EngineSettings.INCOMING_WINDOW),
        UnsignedInteger.valueOf(session.nextOutgoingId()),
        OUTGOING_WINDOW,
        link == null ? null : UnsignedInteger.valueOf(link.localHandle),
        link == null ? null : UnsignedInteger.valueOf(link.deliveryCount),
        link == null ? null : UnsignedInteger.valueOf(Math.max(0, link.credit)),
        null,
        link != null && link.drain,
        false,
        null);
  }

  static FullFrame detach(Detach detach) {
    return new FullFrame(0x16, detach.getHandle(), detach.getClosed(), error(detach.getError()));
  }

  static FullFrame end(End end) {
    return new FullFrame(0x17, error(end.getError()));
  }

  static FullFrame close(Close close) {
    return new FullFrame(0x18, error(close.getError()));
  }

  /** The three fields of an error; null stays null. */
  static @Nullable FullFrame error(@Nullable ErrorCondition error) {
    if (error == null || error.getCondition() == null) {
      return null;
    }
    return new FullFrame(0x1d, error.getCondition(), error.getDescription(), error.getInfo());
  }

  private static Map<?, ?> orEmpty(@Nullable Map<?, ?> map) {
    return map == null ? Collections.emptyMap() : map;
  }

  @Override
  public Object getDescriptor() {
    return descriptor;
  }

  @Override
  public Object getDescribed() {
    return fields;
  }

  @Override
  public <E> void invoke(FrameBodyHandler<E> handler, Binary payload, E context) {
    throw new UnsupportedOperationException("only ever written");
  }

  @Override
  public FrameBody copy() {
    return this;
  }
}
