package io.amphora.amqp.link;

import io.amphora.amqp.Situation;
import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.engine.EngineListener;
import io.amphora.amqp.open.ConnectionOpening;
import io.amphora.amqp.tx.ConnectionTransactions;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Session;

/**
 * The links of one connection: gives each what concerns it, once per read, and lets consumers send
 * in turn. Owned by the connection loop.
 */
public final class ConnectionLinks implements EngineListener {

  private final LinkContext context;
  private final Attacher attacher;
  private final ConnectionOpening opening;
  private final Set<Link> links = new LinkedHashSet<>();
  private final LinkNames names = new LinkNames();
  private final Set<LinkHandler> touched = new LinkedHashSet<>();

  /**
   * @param engineFactory makes the engine that reports to these links
   */
  public ConnectionLinks(
      Broker broker, Loop loop, LinkOptions options, Traffic traffic, EngineFactory engineFactory) {
    AmqpEngine engine = engineFactory.create(this);
    this.context =
        new LinkContext(
            broker,
            loop,
            options,
            traffic,
            engine,
            engineFactory::wake,
            new LinkMemory(options.memory()),
            new ConnectionTransactions(broker, loop));
    this.attacher = new Attacher(context);
    this.opening = new ConnectionOpening(options.containers(), loop);
  }

  /** Makes the engine, and wakes its owner. */
  public interface EngineFactory {
    AmqpEngine create(EngineListener listener);

    /** Asks for output to be written soon. */
    void wake();
  }

  public AmqpEngine engine() {
    return context.engine();
  }

  @Override
  public void onOpen(Connection connection) {
    if (ConnectionOpening.wantsToBeAlone(connection)) {
      engine().hold();
      opening.claim(connection, alone -> context.run(() -> onClaimed(connection, alone)));
    } else {
      OpenReply.open(connection, context.options().brokerId());
    }
  }

  private void onClaimed(Connection connection, boolean alone) {
    if (alone) {
      OpenReply.open(connection, context.options().brokerId());
      engine().resume();
    } else {
      // Nothing that was sent behind the open counts.
      OpenReply.openToClose(connection, context.options().brokerId());
      engine().close(ConnectionOpening.notAlone(connection));
    }
  }

  @Override
  public void onAttach(Link link) {
    names.attach(engine().nameOf(link), link).forEach(this::steal);
    links.add(link);
    context.traffic().links(1);
    attacher.attach(link);
  }

  private void steal(Link from) {
    engine()
        .detach(
            from, Situation.STOLEN.condition(), "the link was attached again on another session");
  }

  @Override
  public void onFlow(Link link) {
    if (link.getContext() instanceof LinkHandler handler) {
      handler.onFlow();
      touched.add(handler);
    }
  }

  @Override
  public void onDelivery(Delivery delivery) {
    if (delivery.getLink().getContext() instanceof LinkHandler handler) {
      handler.onDelivery(delivery);
      touched.add(handler);
    }
  }

  @Override
  public void onDetach(Link link, boolean closed) {
    if (links.remove(link)) {
      boolean byPeer = link.getRemoteState() == EndpointState.CLOSED;
      if (closed && byPeer) {
        onClosing(link);
      }
      gone(link);
    }
  }

  private void onClosing(Link link) {
    if (link.getContext() instanceof LinkHandler handler) {
      handler.onClosing();
    }
    attacher.onClosing(link);
  }

  private void gone(Link link) {
    names.onGone(link);
    context.traffic().links(-1);
    if (link.getContext() instanceof LinkHandler handler) {
      flush(handler);
      link.setContext(null);
      handler.onGone();
    }
    attacher.onGone(link);
  }

  /** What was sent or settled before the detach, in the same read, counts (B62). */
  private void flush(LinkHandler handler) {
    if (touched.remove(handler)) {
      handler.onReadDone();
    }
  }

  @Override
  public void onEnd(Session session) {
    List<Link> ended = new ArrayList<>(links);
    ended.removeIf(link -> link.getSession() != session);
    ended.forEach(links::remove);
    ended.forEach(this::gone);
  }

  @Override
  public void onReadDone() {
    List<LinkHandler> all = new ArrayList<>(touched);
    touched.clear();
    all.forEach(LinkHandler::onReadDone);
  }

  @Override
  public void onClosing() {
    onClosed();
  }

  @Override
  public void onClosed() {
    List<Link> ended = new ArrayList<>(links);
    links.clear();
    ended.forEach(this::gone);
    opening.onOver();
  }

  /**
   * Lets consumers put their next deliveries into the engine, each at most a turn's worth.
   *
   * @return true when any did
   */
  public boolean fill() {
    boolean any = false;
    for (Link link : links) {
      if (link.getContext() instanceof ConsumerLink consumer) {
        any |= consumer.fill();
      }
    }
    return any;
  }
}
