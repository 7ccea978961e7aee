package io.amphora.amqp.link;

import io.amphora.amqp.source.SourceMapping;
import java.util.Arrays;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.jspecify.annotations.Nullable;

/** Termini as they are echoed: what is in force, and nothing else (conventions 3.2, 3.7). */
final class Terminus {

  static final Symbol SHARED_SUBS = Symbol.valueOf("SHARED-SUBS");

  /** The node that takes tokens (conventions 5.6). */
  static final String CLAIMS = "$cbs";

  /** The outcomes that a receiver may choose from. */
  private static final Symbol[] OUTCOMES = {
    Symbol.valueOf("amqp:accepted:list"),
    Symbol.valueOf("amqp:rejected:list"),
    Symbol.valueOf("amqp:released:list"),
    Symbol.valueOf("amqp:modified:list")
  };

  private Terminus() {}

  /** True when the peer's link leads to or from the node that takes tokens. */
  static boolean isOfClaims(Link link) {
    if (link instanceof Receiver) {
      return link.getRemoteTarget() instanceof Target target && CLAIMS.equals(target.getAddress());
    }
    return link.getRemoteSource() instanceof Source source && CLAIMS.equals(source.getAddress());
  }

  /** True when the peer would like the capability on this link. */
  static boolean desires(Link link, Symbol capability) {
    Symbol[] all = link.getRemoteDesiredCapabilities();
    return all != null && Arrays.asList(all).contains(capability);
  }

  static Target echo(Target target) {
    return target;
  }

  /**
   * The source without the filters that are not in force, and with what holds where the receiver
   * said nothing.
   */
  static Source inForce(Source source, Map<Symbol, Object> filters) {
    if (source.getOutcomes() == null) {
      source.setOutcomes(OUTCOMES.clone());
    }
    if (source.getDefaultOutcome() == null) {
      source.setDefaultOutcome(Released.getInstance());
    }
    if (source.getFilter() != null) {
      source.setFilter(filters);
    }
    return source;
  }

  /** A target with an address field at least: some clients read it without a check. */
  static org.apache.qpid.proton.amqp.transport.Target orEmpty(
      org.apache.qpid.proton.amqp.transport.@Nullable Target target) {
    return target == null ? new Target() : target;
  }

  /** A source for a sender that gave none: some clients read its fields without a check. */
  static org.apache.qpid.proton.amqp.transport.Source orEmpty(
      org.apache.qpid.proton.amqp.transport.@Nullable Source source) {
    return source == null ? new Source() : source;
  }

  /** Whether the receiver asked for settled deliveries. */
  static SourceMapping.SettleWish settleWish(Link link) {
    SenderSettleMode mode = link.getRemoteSenderSettleMode();
    if (mode == SenderSettleMode.SETTLED) {
      return SourceMapping.SettleWish.SETTLED;
    }
    return mode == SenderSettleMode.UNSETTLED
        ? SourceMapping.SettleWish.UNSETTLED
        : SourceMapping.SettleWish.MIXED;
  }
}
