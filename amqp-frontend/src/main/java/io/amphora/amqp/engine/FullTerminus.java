package io.amphora.amqp.engine;

import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.messaging.Terminus;
import org.apache.qpid.proton.amqp.transaction.Coordinator;
import org.jspecify.annotations.Nullable;

/** Sources and targets with all their fields, as {@link FullFrame} has frames (conventions 0.3). */
final class FullTerminus {

  private FullTerminus() {}

  /** A terminus as it is written; null, which refuses the link, stays null. */
  static @Nullable Object of(@Nullable Object terminus) {
    if (terminus instanceof Source source) {
      return source(source);
    } else if (terminus instanceof Target target) {
      return target(target);
    } else if (terminus instanceof Coordinator coordinator) {
      return new FullFrame(0x30, new Object[] {coordinator.getCapabilities()});
    }
    return terminus;
  }

  private static FullFrame source(Source source) {
    return new FullFrame(
        0x28,
        source.getAddress(),
        durable(source),
        source.getExpiryPolicy().getPolicy(),
        source.getTimeout(),
        source.getDynamic(),
        source.getDynamicNodeProperties(),
        source.getDistributionMode(),
        source.getFilter(),
        source.getDefaultOutcome(),
        source.getOutcomes(),
        source.getCapabilities());
  }

  private static FullFrame target(Target target) {
    return new FullFrame(
        0x29,
        target.getAddress(),
        durable(target),
        target.getExpiryPolicy().getPolicy(),
        target.getTimeout(),
        target.getDynamic(),
        target.getDynamicNodeProperties(),
        target.getCapabilities());
  }

  private static Object durable(Terminus terminus) {
    return terminus.getDurable().getValue();
  }
}
