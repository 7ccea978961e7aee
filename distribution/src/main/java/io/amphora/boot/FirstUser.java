package io.amphora.boot;

import io.amphora.boot.config.AuthKeys;
import io.amphora.boot.config.Config;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.ScramPassword;
import io.amphora.core.topology.UserCredential;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes sure that the administrator named in the configuration exists and has its password. */
final class FirstUser {

  private static final Logger log = LoggerFactory.getLogger(FirstUser.class);
  private static final String ROLE = "admin";

  private FirstUser() {}

  /** Does nothing when no user is configured or all is as it should be; else blocks until done. */
  static void ensure(Config config, Broker broker, Loop loop) throws StartException {
    String name = config.get(AuthKeys.USER);
    String password = config.get(AuthKeys.PASSWORD);
    if (name.isEmpty() || isUpToDate(broker, name, password)) {
      return;
    }
    CompletableFuture<Reply<UserCredential>> done = new CompletableFuture<>();
    broker.putUser(ScramPassword.create(name, ROLE, password), loop, done::complete);
    Await.reply(done, "auth.user");
    log.info("user {} has the role {} and the configured password", name, ROLE);
  }

  private static boolean isUpToDate(Broker broker, String name, String password) {
    UserCredential kept = broker.topology().users().get(name);
    return kept != null
        && kept.isComplete()
        && kept.role().equals(ROLE)
        && ScramPassword.verify(kept, password);
  }
}
