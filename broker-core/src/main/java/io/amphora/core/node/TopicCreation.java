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
 * sees the topic before it is led. After a failure the caller takes back what is there. Owned by
 * the control loop.
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
            opened -> orElse(opened, done, list -> elect(list, done)));
  }

  private void elect(List<OpenedPartition> opened, Consumer<Reply<TopicInfo>> done) {
    hosting.host().show(opened);
    hosting.elections().run(opened, led -> orElse(led, done, list -> publish(list, done)));
  }

  private void publish(List<Elections.Led> led, Consumer<Reply<TopicInfo>> done) {
    TopicInfo withLeaders = TopicPlan.withLeaders(topic, led);
    journal.commit(
        TopologyChange.withTopic(journal.durable(), withLeaders),
        written ->
            orElse(
                written,
                done,
                ok -> {
                  LOG.info(
                      "topic {} ({}) created, {} partitions",
                      topic.name(),
                      topic.id(),
                      topic.partitions().size());
                  done.accept(Reply.ok(withLeaders));
                }));
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
