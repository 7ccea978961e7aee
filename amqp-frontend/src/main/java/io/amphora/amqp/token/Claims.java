package io.amphora.amqp.token;

import com.nimbusds.jwt.JWTClaimsSet;
import io.amphora.amqp.sasl.Identity;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import java.util.Collections;
import java.util.Date;
import java.util.Optional;

/** What the claims of a token with a good signature come to (RFC 7519 section 4.1). Pure. */
final class Claims {

  private static final int LONGEST_NAME = 255;

  private final JwtOptions options;

  Claims(JwtOptions options) {
    this.options = options;
  }

  Reply<Identity> check(JWTClaimsSet claims, long nowMillis) {
    Date end = claims.getExpirationTime();
    if (end == null) {
      return bad("it has no expiration time");
    }
    long last = end.getTime() + options.skewMillis();
    if (nowMillis >= last) {
      return bad("it has expired");
    }
    Date begin = claims.getNotBeforeTime();
    if (begin != null && nowMillis < begin.getTime() - options.skewMillis()) {
      return bad("it is not valid yet");
    }
    if (options.issuer().isPresent() && !options.issuer().get().equals(claims.getIssuer())) {
      return bad("it is from another issuer");
    }
    if (!options.audiences().isEmpty()
        && Collections.disjoint(options.audiences(), claims.getAudience())) {
      return bad("it is for another audience");
    }
    return user(claims)
        .map(user -> Reply.ok(Identity.token(user, last)))
        .orElseGet(() -> bad("it names no user"));
  }

  /** The same names that users with a password may have. */
  private Optional<String> user(JWTClaimsSet claims) {
    return claims.getClaim(options.userClaim()) instanceof String name
            && !name.isEmpty()
            && name.length() <= LONGEST_NAME
            && name.codePoints().noneMatch(Character::isISOControl)
        ? Optional.of(name)
        : Optional.empty();
  }

  private static Reply<Identity> bad(String reason) {
    return Reply.failed(ErrorCode.UNAUTHORIZED, reason);
  }
}
