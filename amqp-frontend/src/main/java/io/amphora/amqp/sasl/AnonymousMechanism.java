package io.amphora.amqp.sasl;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * RFC 4505: whatever trace the client leaves is taken. {@code MSSBCBS} is the same for clients that
 * put a token on {@code $cbs} afterwards (conventions 1.3).
 */
final class AnonymousMechanism implements Mechanism {

  static final String NAME = "ANONYMOUS";
  static final String CLAIMS = "MSSBCBS";

  private final Identity identity;

  /**
   * @param identity what somebody is who says nothing
   */
  AnonymousMechanism(Identity identity) {
    this.identity = identity;
  }

  @Override
  public void respond(Optional<byte[]> response, Consumer<Step> next) {
    next.accept(new Step.Accepted(identity));
  }
}
