package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.testkit.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CertificateRenewalTest {

  @TempDir private Path dir;
  private Certificates files;
  private ServerRig rig;
  private int port;

  @BeforeEach
  void start() throws Exception {
    files = new Certificates(dir).with("old", "CN=old").with("new", "CN=new");
    use("old.crt", "broker.crt");
    use("old.key", "broker.key");
    rig = new ServerRig();
    port =
        rig.listen(
            0,
            Optional.of(
                new TlsOptions(
                    files.file("broker.crt"), files.file("broker.key"), Optional.empty(), false)));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private void use(String from, String to) throws Exception {
    Files.copy(files.file(from), files.file(to), StandardCopyOption.REPLACE_EXISTING);
  }

  private void renew() throws Exception {
    rig.server
        .renewCertificates()
        .toCompletionStage()
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }

  private SSLSocket connect() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
    socket.startHandshake();
    return socket;
  }

  private static String shownBy(SSLSocket socket) throws Exception {
    return socket.getSession().getPeerPrincipal().getName();
  }

  private String shown() throws Exception {
    try (SSLSocket socket = connect()) {
      return shownBy(socket);
    }
  }

  @Test
  void shouldShowTheNewCertificateToWhoComesAndKeepWhoIsThere() throws Exception {
    try (SSLSocket before = connect()) {
      use("new.crt", "broker.crt");
      use("new.key", "broker.key");
      assertThat(shown()).isEqualTo("CN=old");
      renew();
      assertThat(shown()).isEqualTo("CN=new");
      assertThat(shownBy(before)).isEqualTo("CN=old");
      before.getOutputStream().write(Wire.join(Wire.AMQP, Wire.open()));
      assertThat(before.getInputStream().readNBytes(8)).isEqualTo(Wire.AMQP);
    }
  }

  /** Two files are not replaced at one moment. */
  @Test
  void shouldKeepTheOldOneUntilCertificateAndKeyFit() throws Exception {
    use("new.crt", "broker.crt");
    assertThatThrownBy(this::renew).hasMessageContaining("is not the key of the certificate");
    assertThat(shown()).isEqualTo("CN=old");
    use("new.key", "broker.key");
    renew();
    assertThat(shown()).isEqualTo("CN=new");
  }

  @Test
  void shouldKeepTheOldOneWhenAFileIsOfNoUse() throws Exception {
    Files.writeString(files.file("broker.crt"), "no certificate");
    assertThatThrownBy(this::renew).hasMessageContaining("broker.crt");
    Files.delete(files.file("broker.crt"));
    assertThatThrownBy(this::renew).hasMessageContaining("broker.crt");
    assertThat(shown()).isEqualTo("CN=old");
  }

  @Test
  void shouldNotListenWithTheKeyOfAnotherCertificate() {
    TlsOptions tls =
        new TlsOptions(files.file("old.crt"), files.file("new.key"), Optional.empty(), false);
    assertThatThrownBy(() -> rig.listen(0, Optional.of(tls)))
        .hasMessageContaining("is not the key of the certificate");
  }

  @Test
  void shouldNotListenWithSomethingElseForTheCertificatesOfClients() {
    TlsOptions tls =
        new TlsOptions(
            files.file("old.crt"), files.file("old.key"), Optional.of(files.file("old.key")), true);
    assertThatThrownBy(() -> rig.listen(0, Optional.of(tls))).hasMessageContaining("old.key");
  }

  /** The client of this test looks at certificates itself. */
  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
