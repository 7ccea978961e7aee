package io.amphora.amqp.node;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.AmqpError;

/**
 * {@code $cbs}: takes tokens (conventions 5.6). What a token is for is what was signed, whatever
 * name the request gives. Owned by the connection loop.
 */
final class TokenNode implements RequestNode {

  private static final String SAS = "servicebus.windows.net:sastoken";
  private static final Symbol BAD_REQUEST = AmqpError.INVALID_FIELD;

  private final CbsOptions options;
  private final boolean everybody;
  private final Access access;
  private final LongSupplier clock;
  private final Runnable granted;

  /**
   * @param everybody whether the listener lets everybody in without a token
   * @param clock wall clock, milliseconds since 1970
   * @param granted told after each good token
   */
  TokenNode(
      CbsOptions options,
      boolean everybody,
      Access access,
      LongSupplier clock,
      Runnable granted) {
    this.options = options;
    this.everybody = everybody;
    this.access = access;
    this.clock = clock;
    this.granted = granted;
  }

  @Override
  public void handle(Request request, Consumer<Response> done) {
    done.accept(answer(request));
  }

  private Response answer(Request request) {
    if (!request.text("operation").equals("put-token")) {
      return Response.refused(400, BAD_REQUEST, "the only operation here is put-token");
    }
    String token = token(request);
    if (token.isEmpty()) {
      return Response.refused(400, BAD_REQUEST, "the body has to be the token");
    }
    if (options.keys().isEmpty() && everybody) {
      return accepted();
    }
    if (!request.text("type").equals(SAS)) {
      return unauthorized("tokens of type " + request.text("type") + " are not taken");
    }
    return SasToken.parse(token).map(this::check).orElseGet(TokenNode::malformed);
  }

  private static Response malformed() {
    return Response.refused(400, BAD_REQUEST, "the token is no shared access signature");
  }

  private static String token(Request request) {
    if (request.body() instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    return request.body() instanceof String text ? text : "";
  }

  private Response check(SasToken token) {
    Optional<String> key = Optional.ofNullable(options.keys().get(token.keyName()));
    // An unknown name is answered like a wrong signature: names cannot be probed.
    if (!token.isSignedWith(key.orElse("nobody")) || key.isEmpty()) {
      return unauthorized("the token is not signed with a key of this broker");
    }
    if (token.expiryMillis() <= clock.getAsLong()) {
      return unauthorized("the token has expired");
    }
    access.grant(token.path(), token.expiryMillis());
    granted.run();
    return accepted();
  }

  private static Response accepted() {
    return Response.status(202, "Accepted", null);
  }

  private static Response unauthorized(String why) {
    return Response.refused(401, AmqpError.UNAUTHORIZED_ACCESS, why);
  }
}
