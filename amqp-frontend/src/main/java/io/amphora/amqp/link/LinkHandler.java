package io.amphora.amqp.link;

import org.apache.qpid.proton.engine.Delivery;

/** One attached link. All calls on the connection loop. */
public interface LinkHandler {

  /** The peer's flow. */
  void onFlow();

  /** Bytes, a state or a settlement. */
  void onDelivery(Delivery delivery);

  /** All of a read was seen: hand batches on. */
  void onReadDone();

  /** The peer ends the link for good, with what it names: {@link #onGone} follows. */
  default void onClosing() {}

  /** The link is gone, with its session or connection maybe. Called once. */
  void onGone();
}
