package io.amphora.amqp.link;

import io.amphora.amqp.AmqpErrors;
import io.amphora.core.BrokerException;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.AmqpError;

/** Why a link is not attached. */
record Refusal(Symbol condition, String description) {

  static Refusal of(BrokerException error) {
    return new Refusal(AmqpErrors.condition(error.code()), String.valueOf(error.getMessage()));
  }

  static Refusal notImplemented(String what) {
    return new Refusal(AmqpError.NOT_IMPLEMENTED, what);
  }

  static Refusal invalid(String what) {
    return new Refusal(AmqpError.INVALID_FIELD, what);
  }

  static Refusal unauthorized(String what) {
    return new Refusal(AmqpError.UNAUTHORIZED_ACCESS, what);
  }

  static Refusal notFound(String what) {
    return new Refusal(AmqpError.NOT_FOUND, what);
  }
}
