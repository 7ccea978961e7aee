package io.amphora.boot.cli;

import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.ErrorCondition;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionRemotelyClosedException;
import org.apache.qpid.protonj2.client.exceptions.ClientLinkRemotelyClosedException;

/** What went wrong on an AMQP connection, in one line. */
final class AmqpErrors {

  private AmqpErrors() {}

  /** The condition the broker gave, else what the client library says. */
  static String text(Throwable error) {
    Throwable cause = error;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (cause instanceof ClientLinkRemotelyClosedException closed
          && closed.getErrorCondition() != null) {
        return text(closed.getErrorCondition());
      }
      if (cause instanceof ClientConnectionRemotelyClosedException closed
          && closed.getErrorCondition() != null) {
        return text(closed.getErrorCondition());
      }
      if (cause.getCause() == null) {
        return plain(String.valueOf(cause.getMessage()));
      }
      cause = cause.getCause();
    }
    return String.valueOf(error.getMessage());
  }

  private static String plain(String message) {
    return message.contains("Connection refused") ? "connection refused" : message;
  }

  /** An outcome other than accepted. */
  static String text(DeliveryState state) {
    return String.valueOf(state);
  }

  private static String text(ErrorCondition condition) {
    String description = condition.description();
    return condition.condition()
        + (description == null || description.isEmpty() ? "" : ": " + description);
  }
}
