package io.amphora.amqp.sasl;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** RFC 4422 appendix A: the certificate that TLS verified says who it is. */
final class ExternalMechanism implements Mechanism {

  static final String NAME = "EXTERNAL";

  private final String user;

  ExternalMechanism(String user) {
    this.user = user;
  }

  /** Nobody may act for another user; no response at all is as good as an empty one (B07). */
  @Override
  public void respond(Optional<byte[]> response, Consumer<Step> next) {
    String wanted = new String(response.orElse(new byte[0]), StandardCharsets.UTF_8);
    boolean self = wanted.isEmpty() || wanted.equals(user);
    next.accept(self ? new Step.Accepted(Identity.user(user)) : new Step.Refused(Step.Code.AUTH));
  }
}
