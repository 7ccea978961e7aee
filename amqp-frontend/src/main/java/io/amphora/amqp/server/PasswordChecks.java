package io.amphora.amqp.server;

import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import io.amphora.core.topology.ScramPassword;
import io.amphora.core.topology.UserCredential;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks passwords against the topology's users, on worker threads: hashing blocks. */
final class PasswordChecks implements CredentialCheck.ForConnection {

  private final Vertx vertx;
  private final Broker broker;
  private final Stranger stranger = new Stranger();

  PasswordChecks(Vertx vertx, Broker broker) {
    this.vertx = vertx;
    this.broker = broker;
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
      UserCredential known = broker.topology().users().get(user);
      vertx
          .executeBlocking(() -> matches(known, password), false)
          .onComplete(
              result -> {
                Verdict verdict = verdict(result.succeeded(), result.result());
                loop.execute(() -> done.accept(verdict));
              });
    }

    @Override
    public ScramKeys scramKeys(String user, ScramHash hash) {
      UserCredential known = broker.topology().users().get(user);
      return known == null ? stranger.keys(user, hash) : known.sha256();
    }
  }

  /** An unknown user takes as long as a known one. */
  private static boolean matches(@Nullable UserCredential known, String password) {
    boolean right = ScramPassword.verify(known == null ? Nobody.CREDENTIAL : known, password);
    return right && known != null;
  }

  /** Made on a worker thread, once. */
  private static final class Nobody {
    static final UserCredential CREDENTIAL = ScramPassword.create("nobody", "", "nobody");
  }

  private static CredentialCheck.Verdict verdict(boolean done, Boolean right) {
    if (!done) {
      return CredentialCheck.Verdict.UNAVAILABLE;
    }
    return Boolean.TRUE.equals(right) ? CredentialCheck.Verdict.OK : CredentialCheck.Verdict.WRONG;
  }
}
