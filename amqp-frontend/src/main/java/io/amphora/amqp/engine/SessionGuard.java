package io.amphora.amqp.engine;

import io.amphora.amqp.Situation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.apache.qpid.proton.engine.Session;
import org.jspecify.annotations.Nullable;

/**
 * Checks and repairs what the peer sends on one channel (docs/amqp.md section 6), and counts what
 * the wire saw. Owned by the connection loop.
 */
final class SessionGuard {

  private static final Symbol TXN_ID = Symbol.valueOf("txn-id");

  /** Delivery-ids of the engine, both included. */
  record Range(int first, int last) {}

  private final FrameGuard connection;
  private final int handleMax;
  private final long peerHandleMax;
  private final DeliveryIds ids = new DeliveryIds();
  private @Nullable LinkState[] byHandle = new LinkState[4];
  private @Nullable LinkState[] byLocalHandle = new LinkState[4];
  private int links;
  private int nextIncomingId;

  /** What the wire's counters of ours are ahead of the engine's. */
  private final int ahead;

  private int nextOutgoingId;

  /** First transfer id that the peer has no room for. */
  private int windowEnd;

  /** Transfers the engine believes it sent. */
  private int unsent;

  private int framesSinceFlow;
  private boolean ended;
  private @Nullable Session session;

  /** Channel we write to, -1 before our Begin. */
  int localChannel = -1;

  final int remoteChannel;

  /** An own flow of the session is due. */
  boolean flowDue;

  SessionGuard(FrameGuard connection, int remoteChannel, Begin begin, EngineSettings settings) {
    this.connection = connection;
    this.remoteChannel = remoteChannel;
    this.handleMax = settings.handleMax();
    this.ahead = settings.counterStart();
    this.nextOutgoingId = 1 + ahead;
    UnsignedInteger most = begin.getHandleMax();
    this.peerHandleMax = most == null ? 0xFFFFFFFFL : most.longValue();
    this.nextIncomingId = begin.getNextOutgoingId().intValue();
    this.windowEnd = nextOutgoingId + begin.getIncomingWindow().intValue();
  }

  void session(Session value) {
    session = value;
  }

  Optional<Session> session() {
    return Optional.ofNullable(session);
  }

  int nextIncomingId() {
    return nextIncomingId;
  }

  int nextOutgoingId() {
    return nextOutgoingId;
  }

  /** A counter of ours as the wire shows it. */
  UnsignedInteger toWire(UnsignedInteger counter) {
    return ahead == 0 ? counter : UnsignedInteger.valueOf(counter.intValue() + ahead);
  }

  private UnsignedInteger toEngine(UnsignedInteger counter) {
    return ahead == 0 ? counter : UnsignedInteger.valueOf(counter.intValue() - ahead);
  }

  DeliveryIds ids() {
    return ids;
  }

  /** We ended the session: everything until the peer's End is dropped. */
  void ended() {
    ended = true;
  }

  boolean isEnded() {
    return ended;
  }

  Verdict onAttach(Attach attach) {
    long handle = attach.getHandle().longValue();
    if (handle > handleMax) {
      return new Verdict.CloseConnection(
          Situation.BEYOND_LIMITS.condition(),
          "handle " + handle + " is above handle-max " + handleMax);
    }
    if (remote(attach.getHandle()) != null) {
      return new Verdict.EndSession(
          Situation.HANDLE_IN_USE.condition(), "handle " + handle + " is in use");
    }
    if (links > peerHandleMax) {
      return new Verdict.EndSession(
          Situation.RESOURCE_LIMIT.condition(), "more links than your handle-max " + peerHandleMax);
    }
    boolean sends = attach.getRole() == Role.SENDER;
    LinkState link = connection.newLink(this, attach.getName(), (int) handle, sends);
    attach.setName(link.alias);
    if (sends) {
      if (attach.getInitialDeliveryCount() == null) {
        attach.setInitialDeliveryCount(UnsignedInteger.ZERO);
      }
      link.deliveryCount = attach.getInitialDeliveryCount().intValue();
    } else {
      link.deliveryCount = ahead;
    }
    byHandle = put(byHandle, (int) handle, link);
    links++;
    return Verdict.PASS;
  }

  private static @Nullable LinkState[] put(
      @Nullable LinkState[] array, int index, @Nullable LinkState link) {
    @Nullable LinkState[] result = array;
    if (index >= array.length) {
      result = Arrays.copyOf(array, Math.max(array.length * 2, index + 1));
    }
    result[index] = link;
    return result;
  }

  private @Nullable LinkState remote(UnsignedInteger handle) {
    long index = handle.longValue();
    return index < byHandle.length ? byHandle[(int) index] : null;
  }

  private static Verdict unattached(UnsignedInteger handle) {
    return new Verdict.EndSession(
        Situation.UNATTACHED_HANDLE.condition(), "handle " + handle + " is not attached");
  }

  Verdict onDetach(Detach detach) {
    LinkState link = remote(detach.getHandle());
    if (link == null) {
      return unattached(detach.getHandle());
    }
    connection.beforeDetach(link);
    byHandle[link.remoteHandle] = null;
    links--;
    link.detachReceived = true;
    connection.forgetIfOver(link);
    return Verdict.PASS;
  }

  Verdict onTransfer(Transfer transfer) {
    nextIncomingId++;
    framesSinceFlow++;
    if (framesSinceFlow > EngineSettings.INCOMING_WINDOW) {
      return new Verdict.EndSession(
          Situation.WINDOW_VIOLATION.condition(),
          "more than " + EngineSettings.INCOMING_WINDOW + " transfers without a flow");
    }
    if (framesSinceFlow >= EngineSettings.INCOMING_WINDOW / 2) {
      connection.sessionFlowDue(this);
    }
    LinkState link = remote(transfer.getHandle());
    if (link == null) {
      return unattached(transfer.getHandle());
    }
    if (!link.remoteSends) {
      return new Verdict.EndSession(
          Situation.NOT_ALLOWED.condition(), "a transfer on a link that receives");
    }
    if (link.closing) {
      return Verdict.DROP;
    }
    boolean last = !transfer.getMore() || transfer.getAborted();
    Verdict verdict = link.partial ? onNextFrame(link, transfer) : onFirstFrame(link, transfer);
    link.partial = !last;
    if (last && link.partialSettled) {
      transfer.setSettled(true);
    }
    return verdict;
  }

  private static Verdict onNextFrame(LinkState link, Transfer transfer) {
    UnsignedInteger id = transfer.getDeliveryId();
    if (id != null && id.intValue() != link.partialId) {
      return new Verdict.EndSession(
          Situation.ILLEGAL_STATE.condition(), "deliveries of one link are interleaved");
    }
    transfer.setDeliveryId(null);
    return Verdict.PASS;
  }

  private Verdict onFirstFrame(LinkState link, Transfer transfer) {
    UnsignedInteger id = transfer.getDeliveryId();
    if (id == null) {
      return new Verdict.EndSession(
          Situation.INVALID_FIELD.condition(),
          "the first transfer of a delivery has no delivery-id");
    }
    link.partialId = id.intValue();
    link.partialEngineId = ids.toEngine(link.partialId);
    link.partialSettled = false;
    transfer.setDeliveryId(UnsignedInteger.valueOf(link.partialEngineId));
    if (transfer.getDeliveryTag() == null) {
      transfer.setDeliveryTag(new Binary(new byte[0]));
    }
    link.deliveryCount++;
    link.credit--;
    if (link.credit < -EngineSettings.CREDIT_TOLERANCE) {
      return new Verdict.DetachLink(
          link, Situation.OVER_CREDIT.condition(), "more messages than the link had credit for");
    }
    return Verdict.PASS;
  }

  Verdict onDisposition(Disposition disposition) {
    if (disposition.getRole() == Role.SENDER) {
      int first = disposition.getFirst().intValue();
      UnsignedInteger end = disposition.getLast();
      int last = end == null ? first : end.intValue();
      disposition.setFirst(UnsignedInteger.valueOf(ids.firstFrom(first)));
      disposition.setLast(UnsignedInteger.valueOf(ids.lastUpTo(last)));
    }
    UnsignedInteger last = disposition.getLast();
    if (last != null && last.intValue() - disposition.getFirst().intValue() < 0) {
      return new Verdict.EndSession(
          Situation.INVALID_FIELD.condition(), "disposition range ends before it starts");
    }
    if (disposition.getRole() == Role.RECEIVER) {
      disposition.setFirst(toEngine(disposition.getFirst()));
      disposition.setLast(last == null ? null : toEngine(last));
    }
    return Verdict.PASS;
  }

  /**
   * The ranges of a disposition that the engine may see. It forgets what a sender settles and fails
   * on the next frame of it: a delivery that is still coming in is left out, and settled by its
   * last frame.
   */
  List<Range> ranges(Disposition disposition) {
    int first = disposition.getFirst().intValue();
    UnsignedInteger end = disposition.getLast();
    int last = end == null ? first : end.intValue();
    if (disposition.getRole() != Role.SENDER || !disposition.getSettled()) {
      return List.of(new Range(first, last));
    }
    TreeSet<Integer> ahead = new TreeSet<>();
    for (LinkState link : byHandle) {
      int distance = link == null || !link.partial ? -1 : link.partialEngineId - first;
      if (distance >= 0 && distance <= last - first) {
        link.partialSettled = true;
        ahead.add(distance);
      }
    }
    List<Range> ranges = new ArrayList<>();
    int from = first;
    for (int distance : ahead) {
      addUnlessEmpty(ranges, from, first + distance - 1);
      from = first + distance + 1;
    }
    addUnlessEmpty(ranges, from, last);
    return ranges;
  }

  private static void addUnlessEmpty(List<Range> ranges, int first, int last) {
    if (last - first >= 0) {
      ranges.add(new Range(first, last));
    }
  }

  Verdict onFlow(Flow flow) {
    normaliseWindow(flow);
    if (flow.getHandle() == null) {
      if (flow.getEcho()) {
        connection.sessionFlowDue(this);
      }
      return Verdict.PASS;
    }
    LinkState link = remote(flow.getHandle());
    if (link == null) {
      return unattached(flow.getHandle());
    }
    if (link.closing) {
      flow.setHandle(null);
      return Verdict.PASS;
    }
    if (asksForTransaction(flow)) {
      return new Verdict.DetachLink(
          link,
          Situation.NOT_IMPLEMENTED.condition(),
          "transactional acquisition is not implemented");
    }
    if (link.remoteSends) {
      onSenderFlow(link, flow);
    } else {
      onReceiverFlow(link, flow);
    }
    if (flow.getEcho()) {
      connection.linkFlowDue(link);
    }
    return Verdict.PASS;
  }

  /** Credit for messages that a transaction acquires (part 4, section 4.4.4). */
  private static boolean asksForTransaction(Flow flow) {
    return flow.getProperties() != null && flow.getProperties().get(TXN_ID) != null;
  }

  /**
   * The engine computes the window modulo 2^32 and takes a negative one for a huge one: give it
   * numbers that result in the window that is really left, at least 0 (part 2, section 2.5.6).
   */
  private void normaliseWindow(Flow flow) {
    UnsignedInteger next = flow.getNextIncomingId();
    int from = next == null ? 1 + ahead : next.intValue();
    int sent = nextOutgoingId - from;
    long left = flow.getIncomingWindow().longValue() - Math.max(0, sent);
    windowEnd = nextOutgoingId + (int) Math.max(0, left);
    flow.setNextIncomingId(UnsignedInteger.valueOf(nextOutgoingId + unsent - ahead));
    flow.setIncomingWindow(UnsignedInteger.valueOf(Math.max(0, left)));
  }

  private static void onSenderFlow(LinkState link, Flow flow) {
    UnsignedInteger count = flow.getDeliveryCount();
    if (count == null) {
      flow.setHandle(null);
      return;
    }
    int ahead = count.intValue() - link.deliveryCount;
    if (ahead > 0) {
      link.deliveryCount += ahead;
      link.credit -= ahead;
    }
    // The engine counts a delivery when its last frame is there, the wire when it starts.
    int engineCount = link.deliveryCount - (link.partial ? 1 : 0);
    flow.setDeliveryCount(UnsignedInteger.valueOf(engineCount));
    if (flow.getLinkCredit() == null) {
      flow.setLinkCredit(UnsignedInteger.ZERO);
    }
  }

  private void onReceiverFlow(LinkState link, Flow flow) {
    UnsignedInteger credit = flow.getLinkCredit();
    if (credit == null) {
      flow.setHandle(null);
      return;
    }
    if (credit.intValue() < 0) {
      // The engine reads more than 2^31-1 as a negative number.
      credit = UnsignedInteger.valueOf(Integer.MAX_VALUE);
      flow.setLinkCredit(credit);
    }
    UnsignedInteger said = flow.getDeliveryCount();
    int count = said == null ? ahead : said.intValue();
    flow.setDeliveryCount(said == null ? null : toEngine(said));
    int limit = count + credit.intValue();
    if (link.partialOut && limit - link.deliveryCount <= 0) {
      // What has begun is finished, also when all credit is taken back meanwhile.
      limit = link.deliveryCount + 1;
      flow.setLinkCredit(UnsignedInteger.valueOf(limit - count));
    }
    link.credit = Math.max(0, limit - link.deliveryCount);
    link.drain = flow.getDrain();
  }

  /** A Begin, Attach, Flow or Transfer of ours goes out: what the wire will have seen. */
  void attached(LinkState link, int localHandle) {
    link.localHandle = localHandle;
    byLocalHandle = put(byLocalHandle, localHandle, link);
    if (link.flowDue) {
      link.flowDue = false;
      connection.linkFlowDue(link);
    }
  }

  /** Whether the peer takes one more transfer. */
  boolean hasRoom() {
    return windowEnd - nextOutgoingId > 0;
  }

  /** The link we gave this handle to. */
  Optional<LinkState> local(UnsignedInteger handle) {
    int index = handle.intValue();
    return Optional.ofNullable(index < byLocalHandle.length ? byLocalHandle[index] : null);
  }

  void detached(UnsignedInteger handle) {
    local(handle)
        .ifPresent(
            link -> {
              byLocalHandle[link.localHandle] = null;
              link.closing = true;
              link.detachSent = true;
              connection.forgetIfOver(link);
            });
  }

  void flowSent() {
    framesSinceFlow = 0;
    flowDue = false;
  }

  void transferSent(@Nullable LinkState link, Transfer transfer) {
    nextOutgoingId++;
    if (link != null) {
      link.partialOut = transfer.getMore();
      if (!link.partialOut) {
        link.deliveryCount++;
        link.credit--;
        link.aborting = false;
      }
    }
  }

  /**
   * A transfer of the engine is not sent.
   *
   * @return what to tell the engine before it counts it
   */
  Flow transferDropped(LinkState link) {
    link.partialOut = false;
    Flow flow = new Flow();
    flow.setNextIncomingId(UnsignedInteger.valueOf(nextOutgoingId + unsent - ahead));
    flow.setIncomingWindow(UnsignedInteger.valueOf(windowEnd - nextOutgoingId + 1));
    flow.setNextOutgoingId(UnsignedInteger.valueOf(nextIncomingId));
    flow.setOutgoingWindow(UnsignedInteger.valueOf(EngineSettings.INCOMING_WINDOW));
    unsent++;
    return flow;
  }

  /** Every link of the session, attached by the peer and not yet detached by it. */
  void forEachLink(java.util.function.Consumer<LinkState> action) {
    for (LinkState link : byHandle) {
      if (link != null) {
        action.accept(link);
      }
    }
  }
}
