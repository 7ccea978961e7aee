package io.amphora.amqp.sasl;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * OAUTHBEARER (RFC 7628) and XOAUTH2: a token says who the client is. A client that names a user
 * has to name the one of its token.
 */
final class BearerMechanism implements Mechanism {

  /** The two forms in which a token comes. */
  enum Form {
    OAUTHBEARER,
    XOAUTH2
  }

  private final Form form;
  private final TokenCheck tokens;
  private boolean refused;

  BearerMechanism(Form form, TokenCheck tokens) {
    this.form = form;
    this.tokens = tokens;
  }

  @Override
  public void respond(Optional<byte[]> response, Consumer<Step> next) {
    if (refused) {
      // Whatever it answers to the error ends the exchange (RFC 7628 section 3.2.3).
      next.accept(new Step.Refused(Step.Code.AUTH));
    } else if (response.isEmpty()) {
      next.accept(new Step.Challenge(new byte[0]));
    } else {
      parse(new String(response.get(), StandardCharsets.UTF_8))
          .ifPresentOrElse(
              message -> tokens.check(message.token(), reply -> next.accept(step(message, reply))),
              () -> next.accept(refuse("invalid_request", "no user and token in their form")));
    }
  }

  private Optional<BearerMessage> parse(String text) {
    return switch (form) {
      case OAUTHBEARER -> BearerMessage.ofOauthBearer(text);
      case XOAUTH2 -> BearerMessage.ofXoauth2(text);
    };
  }

  private Step step(BearerMessage message, Reply<Identity> reply) {
    if (reply instanceof Reply.Failed<Identity> failed) {
      BrokerException error = failed.error();
      return error.code() == ErrorCode.UNAUTHORIZED
          ? refuse("invalid_token", String.valueOf(error.getMessage()))
          : new Step.Refused(Step.Code.TEMPORARY);
    }
    Identity identity = reply.orThrow();
    boolean self = message.user().isEmpty() || message.user().equals(identity.user());
    return self
        ? new Step.Accepted(identity)
        : refuse("invalid_token", "it is the token of another user");
  }

  /**
   * OAUTHBEARER says what is wrong and waits for an answer without meaning (RFC 7628 section
   * 3.2.2); some clients cannot answer that with XOAUTH2 and are told the outcome at once.
   */
  private Step refuse(String status, String reason) {
    refused = true;
    if (form == Form.XOAUTH2) {
      return new Step.Refused(Step.Code.AUTH);
    }
    String plain = reason.replaceAll("[^ -~]|[\"\\\\]", "?");
    String shown = plain.substring(0, Math.min(plain.length(), 200));
    String json = "{\"status\":\"" + status + "\",\"error_description\":\"" + shown + "\"}";
    return new Step.Challenge(json.getBytes(StandardCharsets.UTF_8));
  }
}
