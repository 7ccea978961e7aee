package io.amphora.amqp.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.SecretJWK;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The keys with which signatures are checked. A key serves the algorithms of its own kind only: a
 * public key is never taken for a shared secret. Immutable.
 */
final class TokenKeys implements JWSKeySelector<SecurityContext> {

  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.HS256,
          JWSAlgorithm.HS384,
          JWSAlgorithm.HS512,
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private final List<JWK> keys;

  private TokenKeys(List<JWK> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads the files; blocks.
   *
   * @throws IOException with a reason for the operator
   */
  static TokenKeys read(JwtOptions options) throws IOException {
    List<JWK> keys = new ArrayList<>();
    options
        .secret()
        .map(secret -> new OctetSequenceKey.Builder(secret.getBytes(StandardCharsets.UTF_8)))
        .ifPresent(secret -> keys.add(secret.build()));
    for (Path file : options.keys()) {
      keys.addAll(KeyFile.read(file));
    }
    return new TokenKeys(keys);
  }

  /** Candidates: of the kind of the algorithm, with the id of the token or without any. */
  @Override
  public List<Key> selectJWSKeys(JWSHeader header, SecurityContext none) {
    JWSAlgorithm algorithm = header.getAlgorithm();
    if (!ALGORITHMS.contains(algorithm)) {
      return List.of();
    }
    JWKMatcher kind =
        new JWKMatcher.Builder()
            .keyType(KeyType.forAlgorithm(algorithm))
            .keyUses(KeyUse.SIGNATURE, null)
            .algorithms(algorithm, null)
            .build();
    String id = header.getKeyID();
    return keys.stream()
        .filter(kind::matches)
        .filter(key -> id == null || key.getKeyID() == null || id.equals(key.getKeyID()))
        .map(TokenKeys::key)
        .filter(Objects::nonNull)
        .toList();
  }

  private static Key key(JWK key) {
    try {
      return key instanceof AsymmetricJWK pair
          ? pair.toPublicKey()
          : ((SecretJWK) key).toSecretKey();
    } catch (JOSEException e) {
      throw new IllegalStateException("a key that was read is of no use", e);
    }
  }
}
