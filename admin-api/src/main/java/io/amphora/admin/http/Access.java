package io.amphora.admin.http;

import io.amphora.core.topology.ScramPassword;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.UserCredential;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who may do what: HTTP Basic (RFC 7617) against the topology's users. Role {@code admin} may do
 * everything, {@code monitor} may read. Owned by the HTTP loop; passwords are checked on a worker.
 */
public final class Access {
  /** Password checks under way at once; more are answered 503. */
  private static final int MAX_CHECKS = 64;

  private final Vertx vertx;
  private final Supplier<Topology> topology;
  private final boolean anonymous;
  private int checks;

  /**
   * @param anonymous whether requests without a user may do everything
   */
  public Access(Vertx vertx, Supplier<Topology> topology, boolean anonymous) {
    this.vertx = vertx;
    this.topology = topology;
    this.anonymous = anonymous;
  }

  /** Succeeds when the request may go on; fails with 401 or 403. */
  Future<Void> check(HttpServerRequest request, boolean changes) {
    String header = request.getHeader("Authorization");
    // A login that is given has to be right, also where none is asked for: who mistypes a password
    // must not be let in as somebody else.
    if (header == null && isOpen(request)) {
      return Future.succeededFuture();
    }
    Optional<Login> login = Login.of(header);
    if (login.isEmpty()) {
      return Future.failedFuture(unauthorized("a user and password are needed"));
    }
    return verify(login.get()).compose(user -> permit(user, changes));
  }

  /** Before the first user exists only this machine may come in, to create it. */
  private boolean isOpen(HttpServerRequest request) {
    return anonymous
        || (topology.get().users().isEmpty() && isLoopback(request.remoteAddress().hostAddress()));
  }

  private static boolean isLoopback(String address) {
    return address != null && (address.startsWith("127.") || address.startsWith("0:0:0:0:0:0:0:1"));
  }

  private Future<UserCredential> verify(Login login) {
    if (checks >= MAX_CHECKS) {
      return Future.failedFuture(
          new ProblemException(new Problem(503, "busy", "too many logins at once; try again", "")));
    }
    Optional<UserCredential> known = Optional.ofNullable(topology.get().users().get(login.user));
    checks++;
    return vertx
        .executeBlocking(() -> ScramPassword.verify(known, login.password), false)
        .onComplete(done -> checks--)
        .compose(
            matches ->
                matches
                    ? Future.succeededFuture(known.orElseThrow())
                    : Future.failedFuture(unauthorized("wrong user or password")));
  }

  private static Future<Void> permit(UserCredential user, boolean changes) {
    boolean permitted = user.role().equals("admin") || (user.role().equals("monitor") && !changes);
    return permitted
        ? Future.succeededFuture()
        : Future.failedFuture(
            new ProblemException(
                new Problem(403, "not-allowed", "the user's role does not permit this", "")));
  }

  private static ProblemException unauthorized(String detail) {
    return new ProblemException(new Problem(401, "unauthorized", detail, ""));
  }

  /** What an Authorization header says. */
  private record Login(String user, String password) {
    private static Optional<Login> of(String header) {
      if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
        return Optional.empty();
      }
      try {
        byte[] decoded = Base64.getDecoder().decode(header.substring(6).trim());
        String text = new String(decoded, StandardCharsets.UTF_8);
        int colon = text.indexOf(':');
        return colon < 0
            ? Optional.empty()
            : Optional.of(new Login(text.substring(0, colon), text.substring(colon + 1)));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }
}
