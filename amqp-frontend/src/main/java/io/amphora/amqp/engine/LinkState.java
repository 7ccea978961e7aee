package io.amphora.amqp.engine;

import java.util.Optional;
import org.apache.qpid.proton.engine.Link;
import org.jspecify.annotations.Nullable;

/**
 * A link as the wire shows it, beside the engine's own picture. Owned by the connection loop.
 *
 * <p>Each attach gets an alias that is unique in the connection: the engine mixes up links of one
 * name, the wire may not.
 */
final class LinkState {

  final SessionGuard session;
  final String alias;
  final String name;
  final int remoteHandle;

  /** The peer sends, we receive. */
  final boolean remoteSends;

  int localHandle = -1;
  int deliveryCount;
  int credit;
  boolean drain;

  /** We ended the link: what the peer still sends is dropped until its Detach. */
  boolean closing;

  boolean detachReceived;
  boolean detachSent;

  /** A delivery of several frames is on its way in. */
  boolean partial;

  int partialId;
  int partialEngineId;

  /** Its sender settled it already. */
  boolean partialSettled;

  /** A delivery of several frames is on its way out. */
  boolean partialOut;

  /** What we send is settled from its first frame on. */
  boolean sendsSettled;

  /** The delivery that is on its way out is not finished: the peer is told with its last frame. */
  boolean aborting;

  /** It is not finished and the link ends: the peer is not told anything more of it. */
  boolean cut;

  /** The peer's Detach is answered later, when what it asks for is done. */
  boolean held;

  /** An own flow is due as soon as the attach is out. */
  boolean flowDue;

  private @Nullable Link link;

  LinkState(SessionGuard session, String alias, String name, int remoteHandle, boolean sends) {
    this.session = session;
    this.alias = alias;
    this.name = name;
    this.remoteHandle = remoteHandle;
    this.remoteSends = sends;
  }

  void link(Link value) {
    link = value;
  }

  Optional<Link> link() {
    return Optional.ofNullable(link);
  }

  boolean over() {
    return detachReceived && detachSent;
  }
}
