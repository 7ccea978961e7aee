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
  private static final String JWT = "jwt";
  private static final Symbol BAD_REQUEST = AmqpError.INVALID_FIELD;

  private final CbsOptions options;
  private final boolean everybody;
  private final Grants grants;
  private final Bearer bearer;
  private final LongSupplier clock;

  /** Told what a good signature permits, and until when, milliseconds since 1970. */
  interface Grants {
    void grant(String path, long untilMillis);
  }

  /**
   * @param everybody whether the listener lets everybody in without a token
   * @param bearer takes JSON web tokens
   * @param clock wall clock, milliseconds since 1970
   */
  TokenNode(
      CbsOptions options, boolean everybody, Grants grants, Bearer bearer, LongSupplier clock) {
    this.options = options;
    this.everybody = everybody;
    this.grants = grants;
    this.bearer = bearer;
    this.clock = clock;
  }

  @Override
  public void handle(Request request, Consumer<Response> done) {
    String token = token(request);
    if (!request.text("operation").equals("put-token")) {
      done.accept(Response.refused(400, BAD_REQUEST, "the only operation here is put-token"));
    } else if (token.isEmpty()) {
      done.accept(Response.refused(400, BAD_REQUEST, "the body has to be the token"));
    } else {
      switch (request.text("type")) {
        case SAS -> done.accept(signature(token));
        case JWT -> jwt(token, done);
        default ->
            done.accept(
                Response.refused(
                    400, BAD_REQUEST, "tokens of type '" + request.text("type") + "' are unknown"));
      }
    }
  }

  private Response signature(String token) {
    if (options.keys().isEmpty() && everybody) {
      return accepted();
    }
    return SasToken.parse(token).map(this::check).orElseGet(TokenNode::malformed);
  }

  private void jwt(String token, Consumer<Response> done) {
    if (!bearer.isServed() && everybody) {
      done.accept(accepted());
    } else {
      bearer.put(
          token,
          problem ->
              done.accept(problem.map(TokenNode::unauthorized).orElseGet(TokenNode::accepted)));
    }
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
    grants.grant(token.path(), token.expiryMillis());
    return accepted();
  }

  private static Response accepted() {
    return Response.status(202, "Accepted", null);
  }

  private static Response unauthorized(String why) {
    return Response.refused(401, AmqpError.UNAUTHORIZED_ACCESS, why);
  }
}
