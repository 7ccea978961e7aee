package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionSecurityException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients written by others log in over TLS to a broker that takes nobody without a user. */
@Tag("interop")
class SecureClientsIT {

  private static final long TIMEOUT_MILLIS = 20_000;
  private static final Pattern AMQPS = Pattern.compile("amqps=[^ ]*:(\\d+)");

  @TempDir static Path dir;
  private static PemFiles files;
  private static BrokerProcess broker;
  private static int port;

  @BeforeAll
  static void startBroker() throws Exception {
    files = new PemFiles(dir);
    for (String name : List.of("first", "second", "issuer", "ada")) {
      files.make(name, "CN=" + name);
    }
    use("first", "broker");
    List<String> settings = new ArrayList<>();
    for (String setting :
        List.of(
            "auth.anonymous=off",
            "auth.user=bob",
            "auth.password=secret",
            "topics.auto-create=on",
            "listeners.amqps.port=0",
            "listeners.amqps.certificate=" + files.file("broker.crt"),
            "listeners.amqps.key=" + files.file("broker.key"),
            "listeners.amqps.client-ca=" + files.file("ada.crt"),
            "listeners.reload-interval=100ms",
            "auth.jwt.keys=" + files.file("issuer.crt"),
            "auth.jwt.audience=amphora",
            "auth.jwt.clock-skew=0s")) {
      settings.addAll(List.of("--set", setting));
    }
    broker = BrokerProcess.serving(dir.resolve("data"), settings.toArray(new String[0]));
    Matcher listener = AMQPS.matcher(String.join("\n", broker.out()));
    assertThat(listener.find()).as(broker.toString()).isTrue();
    port = Integer.parseInt(listener.group(1));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static void use(String from, String to) throws Exception {
    for (String kind : List.of(".crt", ".key")) {
      Path beside = Files.copy(files.file(from + kind), files.file("beside"));
      Files.move(beside, files.file(to + kind), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Trusts both certificates that the broker has in this test. */
  private static Path trust() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (String name : List.of("first", "second")) {
      KeyStore own = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(files.file(name + ".p12"))) {
        own.load(in, PemFiles.PASSWORD.toCharArray());
      }
      trusted.setCertificateEntry(name, own.getCertificate(name));
    }
    Path store = files.file("trust-" + UUID.randomUUID() + ".p12");
    try (var out = Files.newOutputStream(store)) {
      trusted.store(out, PemFiles.PASSWORD.toCharArray());
    }
    return store;
  }

  private static String token(String user, Duration left) throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(files.file("issuer.p12"))) {
      own.load(in, PemFiles.PASSWORD.toCharArray());
    }
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .subject(user)
            .audience("amphora")
            .expirationTime(new Date(System.currentTimeMillis() + left.toMillis()))
            .build();
    SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
    char[] password = PemFiles.PASSWORD.toCharArray();
    token.sign(new RSASSASigner((PrivateKey) own.getKey("issuer", password)));
    return token.serialize();
  }

  private static Connection jms(String mechanism, String user, String password) throws Exception {
    String uri =
        "amqps://127.0.0.1:%d?amqp.saslMechanisms=%s&transport.trustStoreLocation=%s"
                .formatted(port, mechanism, trust())
            + "&transport.trustStorePassword="
            + PemFiles.PASSWORD;
    Connection connection = new JmsConnectionFactory(uri).createConnection(user, password);
    try {
      connection.start();
      return connection;
    } catch (JMSException e) {
      connection.close();
      throw e;
    }
  }

  private static void sendAndReceive(Connection connection) throws JMSException {
    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
    Queue queue = session.createQueue("secure-" + UUID.randomUUID());
    session.createProducer(queue).send(session.createTextMessage("over TLS"));
    TextMessage message = (TextMessage) session.createConsumer(queue).receive(TIMEOUT_MILLIS);
    assertThat(message.getText()).isEqualTo("over TLS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"})
  void shouldLetQpidJmsInWithItsPassword(String mechanism) throws Exception {
    try (Connection connection = jms(mechanism, "bob", "secret")) {
      sendAndReceive(connection);
    }
    for (String user : List.of("bob", "nobody")) {
      assertThatThrownBy(() -> jms(mechanism, user, "wrong").close())
          .isInstanceOf(JMSSecurityException.class);
    }
  }

  @Test
  void shouldLetQpidJmsInWithAToken() throws Exception {
    try (Connection connection = jms("XOAUTH2", "ada", token("ada", Duration.ofMinutes(5)))) {
      sendAndReceive(connection);
    }
    String expired = token("ada", Duration.ofMinutes(-1));
    assertThatThrownBy(() -> jms("XOAUTH2", "ada", expired).close())
        .isInstanceOf(JMSSecurityException.class);
    String ofAnother = token("eve", Duration.ofMinutes(5));
    assertThatThrownBy(() -> jms("XOAUTH2", "ada", ofAnother).close())
        .isInstanceOf(JMSSecurityException.class);
  }

  @Test
  void shouldEndAConnectionWithItsToken() throws Exception {
    try (Connection connection = jms("XOAUTH2", "ada", token("ada", Duration.ofSeconds(10)))) {
      CompletableFuture<JMSException> told = new CompletableFuture<>();
      connection.setExceptionListener(told::complete);
      sendAndReceive(connection);
      assertThat(told.get(30, TimeUnit.SECONDS))
          .isInstanceOf(JMSSecurityException.class)
          .hasMessageContaining("the token expired");
    }
  }

  private static ConnectionOptions protonj2(String password) throws Exception {
    ConnectionOptions options =
        new ConnectionOptions().reconnectEnabled(false).user("ada").password(password);
    options.saslOptions().addAllowedMechanism("XOAUTH2");
    options
        .sslOptions()
        .sslEnabled(true)
        .trustStoreLocation(trust().toString())
        .trustStorePassword(PemFiles.PASSWORD)
        .trustStoreType("PKCS12");
    return options;
  }

  @Test
  void shouldLetProtonj2InWithAToken() throws Exception {
    String good = token("ada", Duration.ofMinutes(5));
    String expired = token("ada", Duration.ofMinutes(-1));
    try (Client client = Client.create()) {
      try (var connection = client.connect("127.0.0.1", port, protonj2(good))) {
        connection.openFuture().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        connection.openSender("secure").openFuture().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      }
      var refused = client.connect("127.0.0.1", port, protonj2(expired));
      assertThatThrownBy(() -> refused.openFuture().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
          .hasCauseInstanceOf(ClientConnectionSecurityException.class);
    }
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** With its certificate alone, and without one by password: Proton takes EXTERNAL if it can. */
  @Test
  void shouldLetProtonPythonInByItsCertificate() throws Exception {
    Path trusted = files.file("trusted.crt");
    Files.writeString(
        trusted,
        Files.readString(files.file("first.crt")) + Files.readString(files.file("second.crt")));
    assertThat(
            run(
                "/usr/bin/python3",
                Path.of("src/test/python/secure.py").toAbsolutePath().toString(),
                "amqps://127.0.0.1:" + port,
                trusted.toString(),
                files.file("ada.crt").toString(),
                files.file("ada.key").toString()))
        .contains("ok by_certificate")
        .contains("ok by_password_without_a_certificate")
        .contains("ok nobody_without_either");
  }

  @Test
  void shouldLetRheaInWithAToken() throws Exception {
    String good = token("ada", Duration.ofMinutes(5));
    String bad = token("ada", Duration.ofMinutes(-5));
    assertThat(ScriptClient.node("oauth.js", String.valueOf(broker.amqpPort()), good, bad))
        .contains("ok good")
        .contains("ok bad");
  }

  @Test
  void shouldShowARenewedCertificateWithoutARestart() throws Exception {
    assertThat(shown()).isIn("CN=first", "CN=second");
    for (String name : List.of("second", "first")) {
      use(name, "broker");
      await().atMost(Duration.ofSeconds(60)).until(() -> shown().equals("CN=" + name));
    }
    try (Connection connection = jms("SCRAM-SHA-512", "bob", "secret")) {
      sendAndReceive(connection);
    }
  }

  private static String shown() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return socket.getSession().getPeerPrincipal().getName();
    }
  }

  /** Only to look at the certificate. */
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
