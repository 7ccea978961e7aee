package io.amphora.amqp.token;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Public keys in a file: PEM keys and certificates, or a JSON web key set (RFC 7517). Blocks. */
final class KeyFile {

  private static final long MOST_BYTES = 1 << 20;
  private static final int LEAST_RSA_BITS = 2048;

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([^-]*)-----END \\1-----");

  private KeyFile() {}

  /**
   * The keys, at least one.
   *
   * @throws IOException with a reason for the operator
   */
  static List<JWK> read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " is too large for keys");
    }
    String text = Files.readString(file);
    try {
      List<JWK> keys = text.stripLeading().startsWith("{") ? keySet(text) : pem(text);
      if (keys.isEmpty()) {
        throw new IOException(file + " has no public key in PEM and is no JSON web key set");
      }
      for (JWK key : keys) {
        check(key, file);
      }
      return keys;
    } catch (ParseException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(file + " cannot be read as keys: " + e.getMessage(), e);
    }
  }

  private static List<JWK> keySet(String text) throws ParseException {
    return JWKSet.parse(text).getKeys();
  }

  private static void check(JWK key, Path file) throws IOException {
    if (key instanceof RSAKey rsa && rsa.size() < LEAST_RSA_BITS) {
      throw new IOException(file + " has an RSA key of less than " + LEAST_RSA_BITS + " bits");
    }
  }

  private static List<JWK> pem(String text) throws GeneralSecurityException {
    List<JWK> keys = new ArrayList<>();
    Matcher block = PEM.matcher(text);
    while (block.find()) {
      byte[] content = Base64.getMimeDecoder().decode(block.group(2));
      PublicKey key = block.group(1).equals("CERTIFICATE") ? certified(content) : plain(content);
      keys.add(jwk(key));
    }
    return keys;
  }

  private static PublicKey certified(byte[] content) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(content))
        .getPublicKey();
  }

  /** The kind of key stands inside; which, tells only the factory that takes it. */
  private static PublicKey plain(byte[] content) throws GeneralSecurityException {
    X509EncodedKeySpec spec = new X509EncodedKeySpec(content);
    try {
      return KeyFactory.getInstance("RSA").generatePublic(spec);
    } catch (GeneralSecurityException notRsa) {
      return KeyFactory.getInstance("EC").generatePublic(spec);
    }
  }

  private static JWK jwk(PublicKey key) throws GeneralSecurityException {
    if (key instanceof RSAPublicKey rsa) {
      return new RSAKey.Builder(rsa).build();
    }
    if (key instanceof ECPublicKey ec) {
      Curve curve = Curve.forECParameterSpec(ec.getParams());
      if (curve != null) {
        return new ECKey.Builder(curve, ec).build();
      }
    }
    throw new GeneralSecurityException("keys of the kind " + key.getAlgorithm() + " do not work");
  }
}
