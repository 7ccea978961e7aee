package io.amphora.amqp.token;

import static io.amphora.amqp.token.TokenMaker.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.amphora.amqp.sasl.Identity;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JwtsTest {

  private static final String SECRET = "s".repeat(64);
  private static final long SKEW = 5_000;

  private static RSAKey rsa;
  private static RSAKey otherRsa;
  private static ECKey ec;

  @TempDir private Path dir;

  @BeforeAll
  static void makeKeys() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("r1").keyUse(KeyUse.SIGNATURE).generate();
    otherRsa = new RSAKeyGenerator(2048).keyID("r2").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("e1").generate();
  }

  private static OctetSequenceKey secret(String text) {
    return new OctetSequenceKey.Builder(text.getBytes(StandardCharsets.UTF_8)).build();
  }

  private static String pem(PublicKey key) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content);
  }

  private Path keySet(JWK... keys) throws IOException {
    return file("keys.json", new JWKSet(List.of(keys)).toString(true));
  }

  private static Jwts jwts(Optional<String> secret, Path... files) throws IOException {
    return new Jwts(
        new JwtOptions(
            List.of(files),
            secret,
            Optional.of("https://issuer"),
            List.of("amphora", "other"),
            "sub",
            SKEW));
  }

  private static String reason(Reply<Identity> reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    assertThat(((Reply.Failed<Identity>) reply).error().code()).isEqualTo(ErrorCode.UNAUTHORIZED);
    return ((Reply.Failed<Identity>) reply).error().getMessage();
  }

  private static void assertUnknown(Jwts jwts, String token) {
    assertThat(reason(jwts.check(token, NOW))).contains("no token signed with a key known here");
  }

  @ParameterizedTest
  @CsvSource({"HS256", "HS384", "HS512"})
  void shouldTakeTokensSignedWithTheSecret(String algorithm) throws Exception {
    String token = new TokenMaker(JWSAlgorithm.parse(algorithm), secret(SECRET)).make();
    assertThat(jwts(Optional.of(SECRET)).check(token, NOW).orThrow())
        .isEqualTo(Identity.token("ada", NOW + 60_000 + SKEW));
    assertUnknown(jwts(Optional.of("t".repeat(64))), token);
  }

  @Test
  void shouldNotTakeALongerHashThanTheSecretIsGoodFor() throws Exception {
    String token = new TokenMaker(JWSAlgorithm.HS512, secret(SECRET)).make();
    assertUnknown(jwts(Optional.of(SECRET.substring(0, 32))), token);
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of("RS256", rsa),
        Arguments.of("RS512", rsa),
        Arguments.of("PS256", rsa),
        Arguments.of("ES256", ec));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldTakeTokensSignedWithAKeyOfASet(String algorithm, JWK key) throws Exception {
    String token = new TokenMaker(JWSAlgorithm.parse(algorithm), key).keyId(key.getKeyID()).make();
    Jwts jwts = jwts(Optional.empty(), keySet(otherRsa, rsa, ec));
    assertThat(jwts.check(token, NOW).orThrow().user()).isEqualTo("ada");
    assertUnknown(jwts(Optional.of(SECRET), keySet(otherRsa)), token);
  }

  /** Files of PEM name no keys: whatever id a token has, its signature decides. */
  @ParameterizedTest
  @MethodSource("pairs")
  void shouldTakeTokensSignedWithAKeyInPem(String algorithm, JWK key) throws Exception {
    Path file =
        file(
            "keys.pem",
            pem(otherRsa.toPublicKey()) + pem(rsa.toPublicKey()) + pem(ec.toPublicKey()));
    TokenMaker maker = new TokenMaker(JWSAlgorithm.parse(algorithm), key).keyId("any");
    assertThat(jwts(Optional.empty(), file).check(maker.make(), NOW).orThrow().user())
        .isEqualTo("ada");
  }

  @Test
  void shouldLookAtNoOtherKeyThanTheTokenNames() throws Exception {
    String token = new TokenMaker(JWSAlgorithm.RS256, rsa).keyId("r2").make();
    assertUnknown(jwts(Optional.empty(), keySet(rsa, otherRsa)), token);
  }

  /** RFC 8725 section 2.1. */
  @Test
  void shouldRefuseUnsignedTokens() throws Exception {
    JWTClaimsSet claims = new TokenMaker(JWSAlgorithm.HS256, secret(SECRET)).claims.build();
    Jwts jwts = jwts(Optional.of(SECRET), keySet(rsa));
    assertUnknown(jwts, new PlainJWT(claims).serialize());
    String signed = new TokenMaker(JWSAlgorithm.HS256, secret(SECRET)).make();
    assertUnknown(jwts, signed.substring(0, signed.lastIndexOf('.') + 1));
  }

  /** RFC 8725 section 2.1: a public key is no shared secret, in whatever form it is taken. */
  @Test
  void shouldRefuseTokensSignedWithThePublicKeyAsASecret() throws Exception {
    String text = pem(rsa.toPublicKey());
    Jwts jwts = jwts(Optional.empty(), file("keys.pem", text));
    OctetSequenceKey encoded = new OctetSequenceKey.Builder(rsa.toPublicKey().getEncoded()).build();
    for (OctetSequenceKey confused : List.of(secret(text), secret(text.strip()), encoded)) {
      assertUnknown(jwts, new TokenMaker(JWSAlgorithm.HS256, confused).make());
    }
  }

  @ParameterizedTest
  @CsvSource({"''", "abc", "a.b.c", "e30.e30.", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"})
  void shouldRefuseWhatIsNoToken(String token) throws Exception {
    assertUnknown(jwts(Optional.of(SECRET)), token);
  }

  @ParameterizedTest
  @CsvSource({"JWT, true", "at+jwt, true", "dpop+jwt, false"})
  void shouldTakeAccessTokensOnly(String type, boolean good) throws Exception {
    String token = new TokenMaker(JWSAlgorithm.HS256, secret(SECRET)).type(type).make();
    assertThat(jwts(Optional.of(SECRET)).check(token, NOW) instanceof Reply.Ok).isEqualTo(good);
  }

  private static Reply<Identity> withClaims(Consumer<JWTClaimsSet.Builder> change)
      throws Exception {
    TokenMaker maker = new TokenMaker(JWSAlgorithm.HS256, secret(SECRET));
    change.accept(maker.claims);
    return jwts(Optional.of(SECRET)).check(maker.make(), NOW);
  }

  private static Date at(long millis) {
    return new Date(NOW + millis);
  }

  @Test
  void shouldLookAtTheTimes() throws Exception {
    assertThat(withClaims(c -> c.expirationTime(at(1_000 - SKEW))).orThrow().expiresMillis())
        .isEqualTo(NOW + 1_000);
    assertThat(reason(withClaims(c -> c.expirationTime(at(-SKEW))))).isEqualTo("it has expired");
    assertThat(reason(withClaims(c -> c.expirationTime(null)))).contains("no expiration");
    assertThat(withClaims(c -> c.notBeforeTime(at(SKEW)))).isInstanceOf(Reply.Ok.class);
    assertThat(reason(withClaims(c -> c.notBeforeTime(at(SKEW + 1_000)))))
        .isEqualTo("it is not valid yet");
  }

  @Test
  void shouldLookAtIssuerAndAudience() throws Exception {
    assertThat(reason(withClaims(c -> c.issuer("https://other")))).contains("another issuer");
    assertThat(reason(withClaims(c -> c.issuer(null)))).contains("another issuer");
    assertThat(withClaims(c -> c.audience(List.of("x", "other")))).isInstanceOf(Reply.Ok.class);
    assertThat(reason(withClaims(c -> c.audience("x")))).contains("another audience");
    assertThat(reason(withClaims(c -> c.audience((String) null)))).contains("another audience");
  }

  @Test
  void shouldTakeAnyIssuerAndAudienceWhenNoneIsSet() throws Exception {
    Jwts open =
        new Jwts(
            new JwtOptions(
                List.of(), Optional.of(SECRET), Optional.empty(), List.of(), "preferred", 0));
    TokenMaker maker = new TokenMaker(JWSAlgorithm.HS256, secret(SECRET));
    maker.claims.issuer(null).audience((String) null).claim("preferred", "eve");
    assertThat(open.check(maker.make(), NOW).orThrow().user()).isEqualTo("eve");
  }

  @Test
  void shouldNeedAUser() throws Exception {
    JwtOptions options =
        new JwtOptions(List.of(), Optional.of(SECRET), Optional.empty(), List.of(), "name", 0);
    for (Object name : new Object[] {null, "", 7, List.of("ada"), "a\nb", "x".repeat(256)}) {
      TokenMaker maker = new TokenMaker(JWSAlgorithm.HS256, secret(SECRET));
      maker.claims.claim("name", name);
      assertThat(reason(new Jwts(options).check(maker.make(), NOW))).isEqualTo("it names no user");
    }
  }

  @Test
  void shouldTakeTheKeysThatAreInTheFileNow() throws Exception {
    Path file = keySet(otherRsa);
    Jwts jwts = jwts(Optional.empty(), file);
    String token = new TokenMaker(JWSAlgorithm.RS256, rsa).make();
    assertUnknown(jwts, token);

    Files.writeString(file, "{\"keys\":[");
    assertThatThrownBy(jwts::reload).isInstanceOf(IOException.class);
    String old = new TokenMaker(JWSAlgorithm.RS256, otherRsa).make();
    assertThat(jwts.check(old, NOW)).isInstanceOf(Reply.Ok.class);

    keySet(rsa);
    jwts.reload();
    assertThat(jwts.check(token, NOW)).isInstanceOf(Reply.Ok.class);
    assertUnknown(jwts, old);
  }

  @ParameterizedTest
  @CsvSource({
    "'', no public key",
    "{}, cannot be read",
    "-----BEGIN PUBLIC KEY-----AAAA-----END PUBLIC KEY-----, cannot be read",
    "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----, no public key",
    "-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----, cannot be read",
  })
  void shouldRefuseAFileWithoutKeys(String content, String why) throws Exception {
    Path file = file("keys", content);
    assertThatThrownBy(() -> jwts(Optional.empty(), file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why)
        .hasMessageContaining(file.toString());
  }

  @Test
  void shouldRefuseAWeakKey() throws Exception {
    RSAKey weak = new RSAKeyGenerator(1024, true).generate();
    Path file = file("keys", pem(weak.toPublicKey()));
    assertThatThrownBy(() -> jwts(Optional.empty(), file)).hasMessageContaining("2048 bits");
  }
}
