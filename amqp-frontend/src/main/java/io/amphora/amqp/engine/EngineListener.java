package io.amphora.amqp.engine;

import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Session;

/** What an engine reports; called while input is processed, frame by frame. */
public interface EngineListener {

  /**
   * The peer's Open arrived: answer it with {@link Connection#open()}, or later after {@link
   * AmqpEngine#hold}.
   */
  void onOpen(Connection connection);

  /** A link was attached by the peer: answer it, now or later. */
  void onAttach(Link link);

  /** The peer's flow for a link. */
  void onFlow(Link link);

  /** Bytes, a state or a settlement for a delivery. */
  void onDelivery(Delivery delivery);

  /** The link is gone: detached by the peer. The engine answers and frees it afterwards. */
  void onDetach(Link link, boolean closed);

  /** The session is gone with its links. Called once. */
  void onEnd(Session session);

  /** Everything the last read brought was reported: hand batches on. */
  void onReadDone();

  /** The peer closes the connection: what it held is free before it has our answer. */
  void onClosing();

  /** The connection is over; nothing follows. Called once. */
  void onClosed();
}
