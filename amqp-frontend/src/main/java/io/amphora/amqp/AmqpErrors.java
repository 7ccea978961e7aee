package io.amphora.amqp;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;

/** The only mapping of the core's errors to rows of the table {@link Situation}. */
public final class AmqpErrors {

  private AmqpErrors() {}

  /** The row for a code; what the core reports concerns links and deliveries. */
  public static Situation situation(ErrorCode code) {
    return switch (code) {
      case NOT_FOUND -> Situation.NOT_FOUND;
      case ALREADY_EXISTS, PRECONDITION_FAILED -> Situation.PRECONDITION_FAILED;
      case INVALID_FIELD -> Situation.INVALID_FIELD;
      case NOT_ALLOWED -> Situation.NOT_ALLOWED;
      case NOT_IMPLEMENTED -> Situation.NOT_IMPLEMENTED;
      case UNAUTHORIZED -> Situation.UNAUTHORIZED;
      case MESSAGE_TOO_LARGE -> Situation.MESSAGE_TOO_LARGE;
      case RESOURCE_DELETED -> Situation.DELETED;
      case RESOURCE_LOCKED -> Situation.LOCKED;
      case LINK_STOLEN -> Situation.STOLEN;
      case RESOURCE_LIMIT, NOT_ENOUGH_REPLICAS -> Situation.RESOURCE_LIMIT;
      // The connection gets its own error when the broker stops; a link only learns that it passes.
      case NOT_LEADER, TIMEOUT, INDETERMINATE, SHUTTING_DOWN -> Situation.DETACH_FORCED;
      case CORRUPT, INTERNAL -> Situation.INTERNAL;
    };
  }

  /** The condition for a code. */
  public static Symbol condition(ErrorCode code) {
    return situation(code).condition();
  }

  /** The error with condition and description. */
  public static ErrorCondition of(BrokerException error) {
    return situation(error.code()).error(String.valueOf(error.getMessage()));
  }
}
