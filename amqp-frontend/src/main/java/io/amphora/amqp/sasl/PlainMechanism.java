package io.amphora.amqp.sasl;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** RFC 4616: authzid NUL authcid NUL password. Nobody may act for another user. */
final class PlainMechanism implements Mechanism {

  static final String NAME = "PLAIN";

  private final CredentialCheck check;

  PlainMechanism(CredentialCheck check) {
    this.check = check;
  }

  @Override
  public void respond(Optional<byte[]> response, Consumer<Step> next) {
    if (response.isEmpty()) {
      next.accept(new Step.Challenge(new byte[0]));
      return;
    }
    String[] parts = new String(response.get(), StandardCharsets.UTF_8).split("\0", -1);
    boolean valid = parts.length == 3 && !parts[1].isEmpty();
    if (!valid || !(parts[0].isEmpty() || parts[0].equals(parts[1]))) {
      next.accept(new Step.Refused(Step.Code.AUTH));
      return;
    }
    check.check(parts[1], parts[2], verdict -> next.accept(step(parts[1], verdict)));
  }

  private static Step step(String user, CredentialCheck.Verdict verdict) {
    return switch (verdict) {
      case OK -> new Step.Accepted(Identity.user(user));
      case WRONG -> new Step.Refused(Step.Code.AUTH);
      case UNAVAILABLE -> new Step.Refused(Step.Code.TEMPORARY);
    };
  }
}
