package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.core.topology.ScramPassword;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.security.auth.x500.X500Principal;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SslOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TlsTest {

  @TempDir private Path dir;
  private Certificates files;
  private ServerRig rig;

  @BeforeEach
  void start() throws Exception {
    files = new Certificates(dir).with("broker", "CN=127.0.0.1").with("ada", "O=Engines, CN=ada");
    rig = new ServerRig();
    rig.broker.withUser(ScramPassword.create("bob", "user", "secret"));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private int listen(Optional<String> clientCa, boolean required) throws Exception {
    TlsOptions tls =
        new TlsOptions(
            files.file("broker.crt"),
            files.file("broker.key"),
            clientCa.map(files::file),
            required);
    return rig.listen(0, Optional.of(tls));
  }

  private ConnectionOptions options(boolean withCertificate) {
    ConnectionOptions options = new ConnectionOptions().reconnectEnabled(false);
    SslOptions ssl = options.sslOptions().sslEnabled(true);
    ssl.trustStoreLocation(files.file("broker.p12").toString())
        .trustStorePassword(Certificates.PASSWORD)
        .trustStoreType("PKCS12");
    if (withCertificate) {
      ssl.keyStoreLocation(files.file("ada.p12").toString())
          .keyStorePassword(Certificates.PASSWORD)
          .keyStoreType("PKCS12");
    }
    return options;
  }

  private void sendAndReceive(int port, ConnectionOptions options) throws Exception {
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", port, options)) {
      String body = "x".repeat(300_000);
      Sender sender = connection.openSender("orders");
      sender.send(Message.create(body)).settlementFuture().get(20, TimeUnit.SECONDS);
      Receiver receiver = connection.openReceiver("orders");
      Delivery delivery = receiver.receive(20, TimeUnit.SECONDS);
      assertThat(delivery.<String>message().body()).isEqualTo(body);
    }
  }

  @Test
  void shouldCarryMessages() throws Exception {
    int port = listen(Optional.empty(), false);
    sendAndReceive(port, options(false).user("bob").password("secret"));
  }

  @Test
  void shouldKnowAClientByItsCertificate() throws Exception {
    int port = listen(Optional.of("ada.crt"), true);
    ConnectionOptions options = options(true);
    options.saslOptions().addAllowedMechanism("EXTERNAL");
    sendAndReceive(port, options);
  }

  @Test
  void shouldRefuseAClientWithoutTheCertificateItNeeds() throws Exception {
    int port = listen(Optional.of("ada.crt"), true);
    assertRefused(port, options(false));
  }

  @Test
  void shouldOfferExternalOnlyWithACertificate() throws Exception {
    int port = listen(Optional.of("ada.crt"), false);
    ConnectionOptions external = options(false);
    external.saslOptions().addAllowedMechanism("EXTERNAL");
    assertRefused(port, external);
    sendAndReceive(port, options(false).user("bob").password("secret"));
  }

  private void assertRefused(int port, ConnectionOptions options) throws Exception {
    try (Client client = Client.create()) {
      assertThatThrownBy(
              () -> {
                Connection connection = client.connect("127.0.0.1", port, options);
                connection.openFuture().get(20, TimeUnit.SECONDS);
              })
          .satisfiesAnyOf(
              e -> assertThat(e).isInstanceOf(ClientException.class),
              e -> assertThat(e).hasCauseInstanceOf(ClientException.class));
    }
  }

  @Test
  void shouldFailToListenWithAKeyOfAnotherCertificate() {
    TlsOptions tls =
        new TlsOptions(files.file("broker.crt"), files.file("broker.crt"), Optional.empty(), false);
    assertThatThrownBy(() -> rig.listen(0, Optional.of(tls))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CN=ada,O=Engines | ada",
        "O=Engines,CN=ada lovelace | ada lovelace",
        "CN=\"a,b\" | a,b",
        "O=Engines | "
      })
  void shouldTakeTheCommonName(String subject, String user) {
    assertThat(PeerCertificate.commonName(new X500Principal(subject)))
        .isEqualTo(Optional.ofNullable(user));
  }
}
