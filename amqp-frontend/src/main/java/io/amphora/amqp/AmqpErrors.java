package io.amphora.amqp;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.ConnectionError;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.LinkError;

/** The only mapping of the core's errors to AMQP conditions (conventions 7.9). */
public final class AmqpErrors {

  private AmqpErrors() {}

  /** The condition for a code. */
  public static Symbol condition(ErrorCode code) {
    return switch (code) {
      case NOT_FOUND -> AmqpError.NOT_FOUND;
      case ALREADY_EXISTS, PRECONDITION_FAILED -> AmqpError.PRECONDITION_FAILED;
      case INVALID_FIELD -> AmqpError.INVALID_FIELD;
      case NOT_ALLOWED -> AmqpError.NOT_ALLOWED;
      case NOT_IMPLEMENTED -> AmqpError.NOT_IMPLEMENTED;
      case UNAUTHORIZED -> AmqpError.UNAUTHORIZED_ACCESS;
      case MESSAGE_TOO_LARGE -> LinkError.MESSAGE_SIZE_EXCEEDED;
      case RESOURCE_DELETED -> AmqpError.RESOURCE_DELETED;
      case RESOURCE_LOCKED -> AmqpError.RESOURCE_LOCKED;
      case LINK_STOLEN -> LinkError.STOLEN;
      case RESOURCE_LIMIT, NOT_ENOUGH_REPLICAS -> AmqpError.RESOURCE_LIMIT_EXCEEDED;
      case NOT_LEADER, TIMEOUT, INDETERMINATE -> LinkError.DETACH_FORCED;
      case SHUTTING_DOWN -> ConnectionError.CONNECTION_FORCED;
      case CORRUPT, INTERNAL -> AmqpError.INTERNAL_ERROR;
    };
  }

  /** The error with condition and description. */
  public static ErrorCondition of(BrokerException error) {
    return new ErrorCondition(condition(error.code()), String.valueOf(error.getMessage()));
  }
}
