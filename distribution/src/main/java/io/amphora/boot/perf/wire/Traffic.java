package io.amphora.boot.perf.wire;

import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Session;

/** What one connection carries. Called by the thread of the connection only. */
public interface Traffic {

  /** Opens the link; the session is open. */
  void open(Session session, Target target);

  /** A delivery changed: content or a disposition came. */
  void onDelivery(Delivery delivery);

  /** Puts what may be sent now into the engine, about one output buffer at most. */
  void pump();
}
