package io.amphora.amqp.link;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.Situation;
import io.amphora.core.BrokerException;
import org.apache.qpid.proton.amqp.Symbol;

/** Why a link is not attached. */
public record Refusal(Symbol condition, String description) {

  public static Refusal of(BrokerException error) {
    return new Refusal(AmqpErrors.condition(error.code()), String.valueOf(error.getMessage()));
  }

  public static Refusal notImplemented(String what) {
    return new Refusal(Situation.NOT_IMPLEMENTED.condition(), what);
  }

  public static Refusal invalid(String what) {
    return new Refusal(Situation.INVALID_FIELD.condition(), what);
  }

  public static Refusal unauthorized(String what) {
    return new Refusal(Situation.UNAUTHORIZED.condition(), what);
  }

  public static Refusal notFound(String what) {
    return new Refusal(Situation.NOT_FOUND.condition(), what);
  }
}
