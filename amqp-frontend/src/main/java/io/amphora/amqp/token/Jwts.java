package io.amphora.amqp.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.amphora.amqp.sasl.Identity;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import java.io.IOException;
import java.text.ParseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks JSON web tokens. Signatures take up to a millisecond of CPU: never on a loop. The keys are
 * one immutable snapshot that {@link #reload} replaces; otherwise stateless, any thread.
 */
public final class Jwts {

  private static final Logger LOG = LoggerFactory.getLogger(Jwts.class);

  private final JwtOptions options;
  private final Claims claims;
  private volatile DefaultJWTProcessor<SecurityContext> processor;

  /**
   * Reads the keys; blocks.
   *
   * @throws IOException with a reason for the operator
   */
  public Jwts(JwtOptions options) throws IOException {
    this.options = options;
    this.claims = new Claims(options);
    this.processor = processor(TokenKeys.read(options));
  }

  /**
   * Takes the keys that are in the files now; blocks. When they cannot be read the old ones stay.
   *
   * @throws IOException with a reason for the operator
   */
  public void reload() throws IOException {
    processor = processor(TokenKeys.read(options));
  }

  private static DefaultJWTProcessor<SecurityContext> processor(TokenKeys keys) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(keys);
    // The claims are checked here afterwards, with the time as an argument.
    processor.setJWTClaimsSetVerifier((any, none) -> {});
    return processor;
  }

  /**
   * Whose a token is, and until when.
   *
   * @param nowMillis wall clock, milliseconds since 1970
   * @return {@code UNAUTHORIZED} with a reason when it is not good
   */
  public Reply<Identity> check(String token, long nowMillis) {
    try {
      JWTClaimsSet said = processor.process(token, null);
      return claims.check(said, nowMillis);
    } catch (ParseException | BadJOSEException | JOSEException e) {
      // Also unsigned and encrypted ones, and algorithms for which there is no key.
      LOG.debug("a token was refused", e);
      return Reply.failed(ErrorCode.UNAUTHORIZED, "it is no token signed with a key known here");
    }
  }
}
