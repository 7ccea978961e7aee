package io.amphora.amqp.token;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which tokens are good.
 *
 * @param keys files with public keys, each PEM or a JSON web key set
 * @param secret shared secret for HS256, from 48 bytes on also HS384, from 64 also HS512; at least
 *     32 bytes
 * @param issuer what the claim {@code iss} has to be; empty when anybody may issue
 * @param audiences one of them has to be in the claim {@code aud}; none when it is not looked at
 * @param userClaim the claim that names the user
 * @param skewMillis how far clocks may differ, at least 0
 */
public record JwtOptions(
    List<Path> keys,
    Optional<String> secret,
    Optional<String> issuer,
    List<String> audiences,
    String userClaim,
    long skewMillis) {

  /** Without the secret. */
  @Override
  public String toString() {
    return "JwtOptions[" + keys + ", " + issuer + ", " + audiences + "]";
  }
}
