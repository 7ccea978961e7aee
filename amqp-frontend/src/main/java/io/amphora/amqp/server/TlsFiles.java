package io.amphora.amqp.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509KeyManager;

/**
 * Reads the files of a listener with TLS, whole and once: what was checked is what is used, also
 * while somebody replaces them. Blocks; never on a loop.
 */
final class TlsFiles {

  private static final List<String> KEY_TYPES = List.of("EC", "RSA", "EdDSA", "Ed25519");

  private TlsFiles() {}

  /**
   * What Vert.x is told.
   *
   * @throws IOException when a file cannot be read, or key and certificate do not belong together
   */
  static ServerSSLOptions read(Vertx vertx, TlsOptions tls) throws IOException {
    PemKeyCertOptions own =
        new PemKeyCertOptions()
            .addCertValue(bytes(tls.certificate()))
            .addKeyValue(bytes(tls.key()));
    check(vertx, own, tls);
    ServerSSLOptions options = new ServerSSLOptions();
    options.setKeyCertOptions(own).setClientAuth(ClientAuth.NONE);
    if (tls.clientCa().isPresent()) {
      PemTrustOptions trust = new PemTrustOptions().addCertValue(bytes(tls.clientCa().get()));
      check(vertx, trust, tls.clientCa().get());
      options
          .setTrustOptions(trust)
          .setClientAuth(tls.clientRequired() ? ClientAuth.REQUIRED : ClientAuth.REQUEST);
    }
    return options;
  }

  private static Buffer bytes(Path file) throws IOException {
    return Buffer.buffer(Files.readAllBytes(file));
  }

  private static void check(Vertx vertx, PemTrustOptions trust, Path file) throws IOException {
    try {
      trust.getTrustManagerFactory(vertx);
    } catch (Exception e) {
      throw new IOException(file + " is of no use: " + e.getMessage(), e);
    }
  }

  private static void check(Vertx vertx, PemKeyCertOptions own, TlsOptions tls) throws IOException {
    boolean fits;
    try {
      fits = belongTogether(own, vertx);
    } catch (Exception e) {
      throw new IOException(
          tls.certificate() + " with " + tls.key() + " is of no use: " + e.getMessage(), e);
    }
    if (!fits) {
      throw new IOException(tls.key() + " is not the key of the certificate " + tls.certificate());
    }
  }

  private static boolean belongTogether(PemKeyCertOptions own, Vertx vertx) throws Exception {
    X509KeyManager keys = (X509KeyManager) own.getKeyManagerFactory(vertx).getKeyManagers()[0];
    for (String type : KEY_TYPES) {
      String[] aliases = keys.getServerAliases(type, null);
      for (String alias : aliases == null ? new String[0] : aliases) {
        X509Certificate first = keys.getCertificateChain(alias)[0];
        return isPair(keys.getPrivateKey(alias), first.getPublicKey());
      }
    }
    throw new GeneralSecurityException("a certificate with an RSA, EC or EdDSA key is needed");
  }

  /** Only whoever has the key can sign what the certificate verifies. */
  private static boolean isPair(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    byte[] text = {1, 2, 3};
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(text);
    return signature.verify(signed);
  }
}
