package io.amphora.amqp.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.util.Date;

/** Makes tokens as an issuer would. */
final class TokenMaker {

  static final long NOW = 1_700_000_000_000L;

  private final JWSHeader.Builder header;
  private final JWK key;
  final JWTClaimsSet.Builder claims =
      new JWTClaimsSet.Builder()
          .subject("ada")
          .issuer("https://issuer")
          .audience("amphora")
          .expirationTime(new Date(NOW + 60_000));

  TokenMaker(JWSAlgorithm algorithm, JWK key) {
    this.header = new JWSHeader.Builder(algorithm);
    this.key = key;
  }

  TokenMaker keyId(String id) {
    header.keyID(id);
    return this;
  }

  TokenMaker type(String type) {
    header.type(new JOSEObjectType(type));
    return this;
  }

  String make() throws JOSEException {
    JWSHeader made = header.build();
    JWSSigner signer = new DefaultJWSSignerFactory().createJWSSigner(key, made.getAlgorithm());
    SignedJWT token = new SignedJWT(made, claims.build());
    token.sign(signer);
    return token.serialize();
  }
}
