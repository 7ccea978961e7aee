package io.amphora.amqp.node;

import io.amphora.amqp.link.AttachReply;
import io.amphora.amqp.link.Refusal;
import io.amphora.amqp.link.RequestNodes;
import io.amphora.amqp.sasl.Identity;
import io.amphora.core.Loop;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transaction.Coordinator;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one connection, the links to and from them, and who may attach where. Owned by the
 * connection loop.
 */
final class ConnectionNodes implements RequestNodes {

  private static final Symbol PAIRED = Symbol.valueOf("paired");

  /** Links of each direction at most: each may hold a request or answers in memory. */
  private static final int MOST_LINKS = 64;

  /** As Event Hubs has it: its clients fill batches up to this, and a batch is kept in memory. */
  private static final long LARGEST_BATCH = 1 << 20;

  /** An end that is later is looked for again. */
  private static final long LONGEST_WAIT_MILLIS = 3_600_000;

  private final Connected connection;
  private final NodeOptions options;
  private final Access access;
  private final Replies replies;
  private final HubFigures hubs;
  private final TopicOperations topics;
  private final QueueOperations queues;
  private final Bearer bearer;
  private int requestLinks;
  private int replyLinks;
  private boolean tokens;
  private Loop.@Nullable Cancellable end;

  ConnectionNodes(Connected connection, NodeOptions options, LongAdder dropped) {
    this.connection = connection;
    this.options = options;
    this.access = new Access(() -> connection.engine().identity().mayWork());
    this.replies = new Replies(dropped);
    Caller caller = new Caller(connection, options, access);
    this.hubs = new HubFigures(caller);
    this.topics = new TopicOperations(caller);
    this.queues = new QueueOperations(caller);
    this.bearer = new Bearer(connection, this::planEnd);
  }

  @Override
  public boolean attach(Link link) {
    String address = address(link);
    Optional<NodeAddress> node = NodeAddress.of(address);
    if (node.isPresent()) {
      attach(link, node.get());
      return true;
    }
    if (permits(link, address)) {
      return false;
    }
    AttachReply.refuse(link, Refusal.unauthorized("no token that was put to $cbs permits this"));
    return true;
  }

  private boolean permits(Link link, String address) {
    return link.getRemoteTarget() instanceof Coordinator
        ? access.permitsAnything()
        : access.permits(address);
  }

  private static String address(Link link) {
    String address = null;
    if (link instanceof Receiver && link.getRemoteTarget() instanceof Target target) {
      address = target.getAddress();
    } else if (link instanceof Sender && link.getRemoteSource() instanceof Source source) {
      address = source.getAddress();
    }
    return address == null ? "" : address;
  }

  private void attach(Link link, NodeAddress node) {
    boolean isTokens = node.kind() == NodeAddress.Kind.TOKENS;
    boolean isPaired = isPaired(link);
    if (isTokens && !options.cbs().enabled()) {
      refuse(link, AmqpError.NOT_FOUND, "tokens are not taken here: cbs.enabled is off");
    } else if (!isTokens && !access.permitsAnything()) {
      AttachReply.refuse(link, Refusal.unauthorized("put a token to $cbs first"));
    } else if (node.kind() == NodeAddress.Kind.HTTP && !isPaired) {
      refuse(link, AmqpError.PRECONDITION_FAILED, "/management needs a pair of links: paired");
    } else if (link instanceof Receiver requests) {
      tokens |= isTokens;
      attachRequests(requests, node, isPaired ? connection.engine().nameOf(link) : "");
    } else {
      attachReplies((Sender) link, node, isPaired ? connection.engine().nameOf(link) : "");
    }
  }

  private static boolean isPaired(Link link) {
    return link.getRemoteProperties() != null
        && Boolean.TRUE.equals(link.getRemoteProperties().get(PAIRED));
  }

  private static void refuse(Link link, Symbol condition, String why) {
    AttachReply.refuse(link, new Refusal(condition, why));
  }

  private void attachRequests(Receiver link, NodeAddress node, String pair) {
    if (requestLinks >= MOST_LINKS) {
      refuse(link, AmqpError.RESOURCE_LIMIT_EXCEEDED, "the connection has too many such links");
      return;
    }
    requestLinks++;
    Replies.Asker asker = new Replies.Asker(node.kind(), link.getSession(), pair);
    RequestLink requests =
        new RequestLink(
            link,
            nodeOf(node),
            response -> replies.send(asker, response),
            connection.engine(),
            this::onGone);
    link.setContext(requests);
    AttachReply.accept(link, link.getRemoteSource(), link.getRemoteTarget(), RequestLink.LARGEST);
    requests.start();
  }

  private void onGone(Link link) {
    if (link instanceof Receiver) {
      requestLinks--;
    } else {
      replyLinks--;
    }
  }

  private RequestNode nodeOf(NodeAddress node) {
    return switch (node.kind()) {
      case TOKENS ->
          new TokenNode(
              options.cbs(),
              options.anonymous(),
              this::grant,
              bearer,
              connection.loop()::nowMillis);
      case OPERATIONS -> new OperationsNode(node.entity(), hubs, topics);
      case HTTP -> new HttpNode(queues, bearer);
    };
  }

  private void attachReplies(Sender link, NodeAddress node, String pair) {
    if (replyLinks >= MOST_LINKS) {
      refuse(link, AmqpError.RESOURCE_LIMIT_EXCEEDED, "the connection has too many such links");
      return;
    }
    replyLinks++;
    String target =
        link.getRemoteTarget() instanceof Target to && to.getAddress() != null
            ? to.getAddress()
            : "";
    ReplyLink answers =
        new ReplyLink(
            link,
            new ReplyLink.Identity(node.kind(), target, pair),
            connection.engine(),
            gone -> {
              replies.remove(gone);
              onGone(link);
            });
    link.setContext(answers);
    replies.add(answers);
    if (answers.isSettled()) {
      connection.engine().sendsSettled(link);
    }
    AttachReply.accept(
        link,
        link.getRemoteSource(),
        link.getRemoteTarget() == null ? new Target() : link.getRemoteTarget(),
        Integer.MAX_VALUE);
  }

  @Override
  public long largestMessage(long most) {
    return tokens ? Math.min(most, LARGEST_BATCH) : most;
  }

  private void grant(String path, long untilMillis) {
    access.grant(path, untilMillis);
    planEnd();
  }

  /** Links that a token permits end with it, or the connection does (conventions 5.6). */
  private void planEnd() {
    cancel();
    long identity = connection.engine().identity().expiresMillis();
    long next = Math.min(identity, access.isOpen() ? Identity.NEVER : access.nextEnd());
    if (next != Identity.NEVER) {
      long wait = Math.max(0, next - connection.loop().nowMillis());
      long nanos = Math.min(wait, LONGEST_WAIT_MILLIS) * 1_000_000;
      end = connection.loop().schedule(nanos, () -> connection.later().accept(this::onEnd));
    }
  }

  private void onEnd() {
    long now = connection.loop().nowMillis();
    connection.engine().expire(now);
    access.expire(now);
    for (Link link : attached()) {
      if (NodeAddress.of(address(link)).isEmpty() && !permits(link, address(link))) {
        connection
            .engine()
            .detach(link, AmqpError.UNAUTHORIZED_ACCESS, "the token that permits this has expired");
      }
    }
    planEnd();
  }

  private List<Link> attached() {
    EnumSet<EndpointState> active = EnumSet.of(EndpointState.ACTIVE);
    List<Link> links = new ArrayList<>();
    Link link = connection.engine().connection().linkHead(active, active);
    while (link != null) {
      links.add(link);
      link = link.next(active, active);
    }
    return links;
  }

  /** A waiting timer keeps all of the connection in memory. */
  private void cancel() {
    if (end != null) {
      end.cancel();
      end = null;
    }
  }

  @Override
  public void onClosed() {
    cancel();
    queues.onClosed();
  }
}
