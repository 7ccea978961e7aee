package io.amphora.amqp.link;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.topology.TopicInfo;
import java.util.IdentityHashMap;
import java.util.function.Consumer;
import org.apache.qpid.proton.engine.Link;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temporary topics of one connection: each lives as long as the link that asked for it, which
 * is the lifetime delete-on-close (part 3, section 3.5.10). Owned by the connection loop.
 */
final class DynamicNodes {

  private static final Logger LOG = LoggerFactory.getLogger(DynamicNodes.class);

  /** Temporary topics of one connection at most. */
  private static final int MOST = 1000;

  /** The topic does not exist yet. */
  private static final String PENDING = "";

  private final LinkContext context;
  private final IdentityHashMap<Link, String> names = new IdentityHashMap<>();

  DynamicNodes(LinkContext context) {
    this.context = context;
  }

  /**
   * Creates the node of a link.
   *
   * @param done called once, guarded, unless the link goes away before
   */
  void create(Link link, Consumer<Reply<TopicInfo>> done) {
    if (names.size() >= MOST) {
      done.accept(Reply.failed(ErrorCode.RESOURCE_LIMIT, "too many temporary topics"));
      return;
    }
    names.put(link, PENDING);
    context.broker().createTemporaryTopic(context.loop(), reply -> onCreated(link, reply, done));
  }

  private void onCreated(Link link, Reply<TopicInfo> reply, Consumer<Reply<TopicInfo>> done) {
    boolean there = names.containsKey(link);
    if (reply instanceof Reply.Failed<TopicInfo>) {
      names.remove(link);
    } else if (there) {
      names.put(link, reply.orThrow().name());
    } else {
      delete(reply.orThrow().name(), () -> {});
    }
    if (there) {
      context.run(() -> done.accept(reply));
    }
  }

  /**
   * The peer closes the link: who has our answer may rely on it that the node is gone. {@link
   * #onGone} follows.
   */
  void onClosing(Link link) {
    String name = names.get(link);
    if (name != null && !name.equals(PENDING)) {
      names.remove(link);
      context.engine().holdDetach(link);
      delete(name, () -> context.run(() -> context.engine().answerDetach(link, null)));
    }
  }

  /** The link is gone, for whatever reason, and its node with it. */
  void onGone(Link link) {
    String name = names.remove(link);
    if (name != null && !name.equals(PENDING)) {
      delete(name, () -> {});
    }
  }

  private void delete(String name, Runnable done) {
    context
        .broker()
        .deleteTopic(
            name,
            context.loop(),
            reply -> {
              if (reply instanceof Reply.Failed<TopicInfo> failed) {
                LOG.warn("the next start deletes {}: {}", name, failed.error().getMessage());
              }
              done.run();
            });
  }
}
