package io.amphora.amqp.engine;

import java.util.Optional;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.amqp.transport.Open;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Fields a performative must have (part 2, section 2.7). The decoder looks for some of them, and
 * for none in an empty list.
 */
final class MandatoryFields {

  private static final Optional<String> NONE = Optional.empty();

  private MandatoryFields() {}

  /** The name of a field that is missing. */
  static Optional<String> missing(FrameBody body) {
    if (body instanceof Transfer transfer) {
      return transfer.getHandle() == null ? Optional.of("handle") : NONE;
    } else if (body instanceof Disposition disposition) {
      return first("role", disposition.getRole(), "first", disposition.getFirst());
    } else if (body instanceof Flow flow) {
      return first("incoming-window", flow.getIncomingWindow())
          .or(() -> first("next-outgoing-id", flow.getNextOutgoingId()))
          .or(() -> first("outgoing-window", flow.getOutgoingWindow()));
    } else if (body instanceof Attach attach) {
      return first("name", attach.getName())
          .or(() -> first("handle", attach.getHandle(), "role", attach.getRole()));
    } else if (body instanceof Detach detach) {
      return first("handle", detach.getHandle());
    } else if (body instanceof Begin begin) {
      return first("next-outgoing-id", begin.getNextOutgoingId())
          .or(() -> first("incoming-window", begin.getIncomingWindow()))
          .or(() -> first("outgoing-window", begin.getOutgoingWindow()));
    } else if (body instanceof Open open) {
      return first("container-id", open.getContainerId());
    }
    return NONE;
  }

  private static Optional<String> first(String name, @Nullable Object value) {
    return value == null ? Optional.of(name) : NONE;
  }

  private static Optional<String> first(
      String one, @Nullable Object value, String two, @Nullable Object other) {
    return value == null ? Optional.of(one) : first(two, other);
  }
}
