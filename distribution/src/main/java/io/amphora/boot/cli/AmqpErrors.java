package io.amphora.boot.cli;

import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.ErrorCondition;
import org.apache.qpid.protonj2.client.Modified;
import org.apache.qpid.protonj2.client.Rejected;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionRemotelyClosedException;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionSecurityException;
import org.apache.qpid.protonj2.client.exceptions.ClientLinkRemotelyClosedException;
import org.jspecify.annotations.Nullable;

/** What went wrong on an AMQP connection, in one line. */
final class AmqpErrors {

  private static final String TOO_LARGE = "amqp:link:message-size-exceeded";
  private static final int DEPTH = 10;

  private AmqpErrors() {}

  /** The condition the broker gave, else what the client library says. */
  static String text(Throwable error) {
    Throwable cause = error;
    for (int depth = 0; cause != null && depth < DEPTH; depth++) {
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

  /** True when the peer closed the link because a message was larger than it takes. */
  static boolean isTooLarge(Throwable error) {
    return text(error).startsWith(TOO_LARGE);
  }

  /** True when the broker did not let the user in. */
  static boolean isLogin(Throwable error) {
    Throwable cause = error;
    for (int depth = 0; cause != null && depth < DEPTH; depth++) {
      if (cause instanceof ClientConnectionSecurityException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** An outcome other than accepted. */
  static String text(@Nullable DeliveryState state) {
    if (state instanceof Rejected rejected) {
      return text(rejected.getCondition(), rejected.getDescription());
    }
    if (state instanceof Modified || (state != null && state.isReleased())) {
      return "the broker gave the message back; send it again";
    }
    return "the broker settled it without an outcome";
  }

  private static String text(ErrorCondition condition) {
    return text(condition.condition(), condition.description());
  }

  private static String text(@Nullable String condition, @Nullable String description) {
    String name = condition == null ? "refused" : condition;
    return description == null || description.isEmpty() ? name : name + ": " + description;
  }
}
