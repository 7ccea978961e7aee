package io.amphora.amqp.server;

import io.vertx.core.net.NetSocket;
import java.security.Principal;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Who a client's certificate names. */
final class PeerCertificate {

  private PeerCertificate() {}

  /**
   * The common name of the subject, when TLS verified a certificate of the client; empty otherwise
   * and when it has none.
   */
  static Optional<String> user(NetSocket socket) {
    SSLSession session = socket.isSsl() ? socket.sslSession() : null;
    if (session == null) {
      return Optional.empty();
    }
    try {
      return commonName(session.getPeerPrincipal());
    } catch (SSLPeerUnverifiedException noCertificate) {
      return Optional.empty();
    }
  }

  static Optional<String> commonName(Principal subject) {
    try {
      for (Rdn part : new LdapName(subject.getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return Optional.of(part.getValue().toString()).filter(name -> !name.isEmpty());
        }
      }
      return Optional.empty();
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
  }
}
