package io.amphora.amqp;

import java.util.Set;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transaction.TransactionErrors;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.ConnectionError;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.LinkError;
import org.apache.qpid.proton.amqp.transport.SessionError;

/**
 * The table of errors a peer is told of (conventions 7.9): one row for each situation, with its
 * condition and what ends by it. Clients decide by the condition whether they come back, so a
 * passing trouble must not look like a lasting one.
 */
public enum Situation {
  /** Bytes that are no AMQP, or a message that is none. */
  MALFORMED(AmqpError.DECODE_ERROR, Scope.CONNECTION, Scope.DELIVERY),
  /** A frame, channel or handle beyond what was announced. */
  BEYOND_LIMITS(ConnectionError.FRAMING_ERROR, Scope.CONNECTION),
  /** Out of order: a frame before open, deliveries of one link mixed. */
  ILLEGAL_STATE(AmqpError.ILLEGAL_STATE, Scope.CONNECTION, Scope.SESSION),
  /** Well-formed, but not to be done here. */
  NOT_ALLOWED(AmqpError.NOT_ALLOWED, Scope.CONNECTION, Scope.SESSION, Scope.LINK, Scope.DELIVERY),
  /** Disk, memory, quota, links, sessions: the same may succeed later. */
  RESOURCE_LIMIT(
      AmqpError.RESOURCE_LIMIT_EXCEEDED,
      Scope.CONNECTION,
      Scope.SESSION,
      Scope.LINK,
      Scope.DELIVERY),
  /** Silence; a stop. The only condition on which all clients connect again (conventions 2.6). */
  CONNECTION_FORCED(ConnectionError.CONNECTION_FORCED, Scope.CONNECTION),
  /** A fault of the broker. */
  INTERNAL(AmqpError.INTERNAL_ERROR, Scope.CONNECTION, Scope.LINK, Scope.DELIVERY),
  HANDLE_IN_USE(SessionError.HANDLE_IN_USE, Scope.SESSION),
  UNATTACHED_HANDLE(SessionError.UNATTACHED_HANDLE, Scope.SESSION),
  WINDOW_VIOLATION(SessionError.WINDOW_VIOLATION, Scope.SESSION),
  INVALID_FIELD(AmqpError.INVALID_FIELD, Scope.SESSION, Scope.LINK, Scope.DELIVERY),
  NOT_FOUND(AmqpError.NOT_FOUND, Scope.LINK, Scope.DELIVERY),
  /** Deleted while a link was attached to it. */
  DELETED(AmqpError.RESOURCE_DELETED, Scope.LINK, Scope.DELIVERY),
  /** Somebody else has it for himself. */
  LOCKED(AmqpError.RESOURCE_LOCKED, Scope.LINK, Scope.DELIVERY),
  /** The same link was attached again elsewhere: clients must not come back. */
  STOLEN(LinkError.STOLEN, Scope.LINK),
  /** Passes, or nobody knows: attach again. */
  DETACH_FORCED(LinkError.DETACH_FORCED, Scope.LINK, Scope.DELIVERY),
  OVER_CREDIT(LinkError.TRANSFER_LIMIT_EXCEEDED, Scope.LINK),
  MESSAGE_TOO_LARGE(LinkError.MESSAGE_SIZE_EXCEEDED, Scope.LINK, Scope.DELIVERY),
  NOT_IMPLEMENTED(AmqpError.NOT_IMPLEMENTED, Scope.LINK, Scope.DELIVERY),
  UNAUTHORIZED(AmqpError.UNAUTHORIZED_ACCESS, Scope.CONNECTION, Scope.LINK, Scope.DELIVERY),
  /** Something that is said in the message, or of the node, does not hold. */
  PRECONDITION_FAILED(AmqpError.PRECONDITION_FAILED, Scope.LINK, Scope.DELIVERY),
  UNKNOWN_TRANSACTION(TransactionErrors.UNKNOWN_ID, Scope.DELIVERY);

  /** What ends with the error. */
  public enum Scope {
    CONNECTION,
    SESSION,
    LINK,
    /** A rejected delivery; nothing ends. */
    DELIVERY
  }

  private final Symbol condition;
  private final Set<Scope> scopes;

  Situation(Symbol condition, Scope... scopes) {
    this.condition = condition;
    this.scopes = Set.of(scopes);
  }

  public Symbol condition() {
    return condition;
  }

  /** What it may end. */
  public Set<Scope> scopes() {
    return scopes;
  }

  /**
   * The error as it is written.
   *
   * @param description one sentence for the person who reads it: what was wrong, and the limit or
   *     name that helps
   */
  public ErrorCondition error(String description) {
    return new ErrorCondition(condition, description);
  }
}
