package io.amphora.core.node;

import io.amphora.core.Reply;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopologyChange;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates one topic: the document, the logs, the elections, the document with the leaders. Nobody
 * sees the topic before it is led. When it cannot be opened, it is taken back. Owned by the control
 * loop.
 */
final class TopicCreation {

  private static final Logger LOG = LoggerFactory.getLogger(TopicCreation.class);

  private final TopologyJournal journal;
  private final NodeController.Hosting hosting;
  private final TopicInfo topic;

  TopicCreation(TopologyJournal journal, NodeController.Hosting hosting, TopicInfo topic) {
    this.journal = journal;
    this.hosting = hosting;
    this.topic = topic;
  }

  void start(Consumer<Reply<TopicInfo>> done) {
    journal.write(
        TopologyChange.withTopic(journal.durable(), topic),
        written -> orElse(written, done, ok -> open(done)));
  }

  private void open(Consumer<Reply<TopicInfo>> done) {
    hosting
        .host()
        .open(
            TopicPlan.setups(topic, hosting.broker()),
            opened -> orElse(opened, failed -> takeBack(failed, done), list -> elect(list, done)));
  }

  private void elect(List<OpenedPartition> opened, Consumer<Reply<TopicInfo>> done) {
    hosting.host().show(opened);
    hosting
        .elections()
        .run(
            opened,
            led -> orElse(led, failed -> takeBack(failed, done), list -> publish(list, done)));
  }

  private void publish(List<Elections.Led> led, Consumer<Reply<TopicInfo>> done) {
    TopicInfo withLeaders = TopicPlan.withLeaders(topic, led);
    journal.commit(
        TopologyChange.withTopic(journal.durable(), withLeaders),
        written ->
            orElse(
                written,
                failed -> takeBack(failed, done),
                ok -> {
                  LOG.info(
                      "topic {} ({}) created, {} partitions",
                      topic.name(),
                      topic.id(),
                      topic.partitions().size());
                  done.accept(Reply.ok(withLeaders));
                }));
  }

  /** Deletes what was made. When not even that can be written, the next start leads the topic. */
  private void takeBack(Reply<TopicInfo> failure, Consumer<Reply<TopicInfo>> done) {
    LOG.warn("topic {} cannot be created and is taken back", topic.name());
    Runnable finished = () -> done.accept(failure);
    journal.commit(
        TopologyChange.withoutTopic(journal.durable(), topic),
        written -> {
          if (written instanceof Reply.Ok) {
            new TopicErasure(journal, hosting, topic).start(() -> {}, finished);
          } else {
            finished.run();
          }
        });
  }

  private static <T> void orElse(
      Reply<T> reply, Consumer<Reply<TopicInfo>> failed, Consumer<T> ok) {
    if (reply instanceof Reply.Ok<T> value) {
      ok.accept(value.value());
    } else {
      failed.accept(new Reply.Failed<>(((Reply.Failed<T>) reply).error()));
    }
  }
}
