package io.amphora.amqp.sasl;

import java.util.Optional;
import java.util.function.Consumer;

/** RFC 4505: whatever trace the client leaves is taken. */
final class AnonymousMechanism implements Mechanism {

  static final String NAME = "ANONYMOUS";

  @Override
  public void respond(Optional<byte[]> response, Consumer<Step> next) {
    next.accept(new Step.Accepted(Identity.ANONYMOUS));
  }
}
