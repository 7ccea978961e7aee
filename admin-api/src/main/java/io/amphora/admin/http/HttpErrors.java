package io.amphora.admin.http;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The only mapping of errors to HTTP (RFC 9110 section 15). */
final class HttpErrors {
  private static final Logger LOG = LoggerFactory.getLogger(HttpErrors.class);

  private HttpErrors() {}

  static int statusOf(ErrorCode code) {
    return switch (code) {
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, RESOURCE_LOCKED, LINK_STOLEN -> 409;
      case INVALID_FIELD -> 400;
      case NOT_ALLOWED -> 403;
      case NOT_IMPLEMENTED -> 501;
      case UNAUTHORIZED -> 401;
      case MESSAGE_TOO_LARGE -> 413;
      case PRECONDITION_FAILED -> 412;
      case RESOURCE_DELETED -> 410;
      case RESOURCE_LIMIT -> 429;
      case NOT_ENOUGH_REPLICAS, NOT_LEADER, SHUTTING_DOWN -> 503;
      case TIMEOUT, INDETERMINATE -> 504;
      case CORRUPT, INTERNAL -> 500;
    };
  }

  /** The problem to answer with; what nobody expected is logged here and not shown. */
  static Problem problemOf(Throwable error) {
    if (error instanceof ProblemException known) {
      return known.problem();
    }
    if (error instanceof BrokerException broker) {
      String message = String.valueOf(broker.getMessage());
      return new Problem(statusOf(broker.code()), codeOf(broker.code()), message, "");
    }
    LOG.error("an HTTP request failed for a reason nobody thought of", error);
    return new Problem(500, "internal", "the broker's log says more", "");
  }

  /** Stable code of an error for clients: lower case with hyphens. */
  static String codeOf(ErrorCode code) {
    return code.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
