package io.amphora.amqp.link;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds topics by name, and creates them where the listener allows it. */
final class Topics {

  private final LinkContext context;

  Topics(LinkContext context) {
    this.context = context;
  }

  /** The topic as it is now; internal ones are invisible to clients. */
  Optional<TopicInfo> now(String name) {
    return Optional.ofNullable(context.broker().topology().topics().get(name))
        .filter(topic -> !topic.isInternal());
  }

  /**
   * Finds or creates the topic.
   *
   * @param done called at once when it exists, else on the connection loop, guarded
   */
  void find(String name, Consumer<Reply<TopicInfo>> done) {
    Optional<TopicInfo> known = now(name);
    if (known.isPresent()) {
      done.accept(Reply.ok(known.get()));
    } else if (!context.options().autoCreate() || isReserved(name)) {
      done.accept(Reply.failed(ErrorCode.NOT_FOUND, "there is no topic " + name));
    } else {
      context
          .broker()
          .createTopic(
              name,
              TopicConfig.DEFAULT,
              context.loop(),
              reply -> context.run(() -> done.accept(unlessThere(name, reply))));
    }
  }

  private static boolean isReserved(String name) {
    return TopicName.isInternal(name) || TopicName.isTemporary(name);
  }

  /** Two links may create one topic at the same time: the second finds it. */
  private Reply<TopicInfo> unlessThere(String name, Reply<TopicInfo> reply) {
    if (reply instanceof Reply.Failed<TopicInfo> failed
        && failed.error().code() == ErrorCode.ALREADY_EXISTS) {
      return now(name).<Reply<TopicInfo>>map(Reply::ok).orElse(reply);
    }
    return reply;
  }
}
