package io.amphora.core.node;

import io.amphora.core.Reply;
import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopologyChange;
import io.amphora.wal.LogName;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases the data of a topic whose tombstone is on disk, then takes the tombstone away (safety rule
 * 8). What is interrupted is finished by the next start. Owned by the control loop.
 */
final class TopicErasure {

  private static final Logger LOG = LoggerFactory.getLogger(TopicErasure.class);

  private final TopologyJournal journal;
  private final NodeController.Hosting hosting;
  private final TopicInfo topic;

  TopicErasure(TopologyJournal journal, NodeController.Hosting hosting, TopicInfo topic) {
    this.journal = journal;
    this.hosting = hosting;
    this.topic = topic;
  }

  /**
   * Starts.
   *
   * @param onErased called when the data is gone, or is left for the next start
   * @param finished called when the tombstone is gone, too; no other change may run before
   */
  void start(Runnable onErased, Runnable finished) {
    List<PartitionSetup> setups = TopicPlan.setups(topic, hosting.broker());
    List<LogName> names = setups.stream().map(PartitionSetup::logName).toList();
    hosting
        .host()
        .remove(
            topic,
            () -> hosting.host().erase(names, erased -> onErased(erased, onErased, finished)));
  }

  private void onErased(Reply<List<LogName>> erased, Runnable onErased, Runnable finished) {
    onErased.run();
    if (erased instanceof Reply.Failed<List<LogName>> failed) {
      LOG.warn("the next start erases {}: {}", topic.name(), failed.error().getMessage());
      finished.run();
      return;
    }
    hosting
        .states()
        .forget(
            TopicPlan.setups(topic, hosting.broker()).stream().map(PartitionSetup::key).toList());
    journal.commit(
        TopologyChange.erased(journal.durable(), List.of(topic.id())), ignored -> finished.run());
  }
}
