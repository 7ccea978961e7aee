package io.amphora.amqp.server;

import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.sasl.Identity;
import io.amphora.amqp.sasl.TokenCheck;
import io.amphora.amqp.token.Jwts;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import io.amphora.core.topology.ScramPassword;
import io.amphora.core.topology.UserCredential;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Checks passwords against the topology's users, and tokens, on worker threads: hashing blocks. */
final class LoginChecks implements CredentialCheck.ForConnection {

  private final Vertx vertx;
  private final Broker broker;
  private final LoginOptions logins;
  private final boolean anonymous;
  private final Stranger stranger = new Stranger();

  /**
   * @param anonymous whether clients of the listener may come without a user
   */
  LoginChecks(Vertx vertx, Broker broker, LoginOptions logins, boolean anonymous) {
    this.vertx = vertx;
    this.broker = broker;
    this.logins = logins;
    this.anonymous = anonymous;
  }

  @Override
  public CredentialCheck on(Executor loop, Optional<String> certificateUser) {
    return new OnLoop(loop, certificateUser);
  }

  private final class OnLoop implements CredentialCheck {
    private final Executor loop;
    private final Optional<String> certificateUser;

    OnLoop(Executor loop, Optional<String> certificateUser) {
      this.loop = loop;
      this.certificateUser = certificateUser;
    }

    @Override
    public Optional<String> certificateUser() {
      return certificateUser;
    }

    @Override
    public void check(String user, String password, Consumer<Verdict> done) {
      Optional<UserCredential> known = Optional.ofNullable(broker.topology().users().get(user));
      vertx
          .executeBlocking(() -> ScramPassword.verify(known, password), false)
          .onComplete(
              result -> {
                Verdict verdict = verdict(result.succeeded(), result.result());
                loop.execute(() -> done.accept(verdict));
              });
    }

    @Override
    public ScramKeys scramKeys(String user, ScramHash hash) {
      return Optional.ofNullable(broker.topology().users().get(user))
          .flatMap(known -> known.keysFor(hash))
          .orElseGet(() -> stranger.keys(user, hash));
    }

    @Override
    public boolean offers(ScramHash hash) {
      return broker.topology().users().values().stream()
          .allMatch(user -> user.keys().containsKey(hash));
    }

    @Override
    public boolean claims() {
      return logins.hasClaims(anonymous);
    }

    @Override
    public Optional<TokenCheck> tokens() {
      return logins.tokens().map(keys -> (token, done) -> check(keys, token, done));
    }

    private void check(Jwts keys, String token, Consumer<Reply<Identity>> done) {
      vertx
          .executeBlocking(() -> keys.check(token, System.currentTimeMillis()), false)
          .otherwise(e -> Reply.failed(ErrorCode.INTERNAL, "the token cannot be checked"))
          .onSuccess(reply -> loop.execute(() -> done.accept(reply)));
    }
  }

  private static CredentialCheck.Verdict verdict(boolean done, Boolean right) {
    if (!done) {
      return CredentialCheck.Verdict.UNAVAILABLE;
    }
    return Boolean.TRUE.equals(right) ? CredentialCheck.Verdict.OK : CredentialCheck.Verdict.WRONG;
  }
}
