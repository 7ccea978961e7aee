package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;

/** Compares what a broker kept with what everybody was told. Owned by the thread of the test. */
final class Audit {

  private final Cast cast;
  private final Rest rest;

  Audit(Cast cast, BrokerProcess broker) {
    this.cast = cast;
    this.rest = new Rest(broker);
  }

  /** After each start: positions are there, temporary topics are not. */
  void afterStart() throws Exception {
    readPositions();
    cast.groups().forEach(g -> g.group().onBrokerStarted());
    assertThat(rest.topics()).noneMatch(name -> name.startsWith("amphora.tmp"));
  }

  /** What the admin API shows was journaled. */
  void readPositions() throws Exception {
    for (Cast.GroupOf g : cast.groups()) {
      g.group().journaled(rest.positions(g.group().name(), g.record().topic()));
    }
  }

  /**
   * Reads everything and takes what is left of every group.
   *
   * @param rounds kills since the topics were made
   */
  String everything(Client client, BrokerProcess broker, int rounds) throws Exception {
    try (Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      int stored = 0;
      int accepted = 0;
      for (TopicRecord record : cast.topics()) {
        stored += log(record, connection);
        accepted += record.sent().acceptedCount();
      }
      for (Cast.GroupOf g : cast.groups()) {
        group(g, connection, rounds);
      }
      for (TopicRecord record : cast.topics()) {
        record.traces().forEach(trace -> trace.check(record.seen()));
      }
      return accepted + " accepted, " + stored + " stored";
    }
  }

  private int log(TopicRecord record, Connection connection) throws Exception {
    Map<Integer, Set<Long>> seen = new HashMap<>();
    SeenLog log = record.seen();
    log.numbers().forEach(n -> seen.put(n, new HashSet<>(log.partition(n).keySet())));
    log.clear();
    cast.everything(record).takeRest(connection);
    seen.forEach(
        (number, offsets) -> {
          offsets.removeAll(log.partition(number).keySet());
          assertThat(offsets).as("seen in partition %d, and gone", number).isEmpty();
        });
    List<Payload> kept = new ArrayList<>();
    log.numbers().forEach(n -> log.partition(n).values().forEach(e -> kept.add(e.payload())));
    assertThat(record.sent().missingIn(kept)).as("accepted and lost").isEmpty();
    assertThat(record.sent().inventedIn(kept)).as("never sent").isEmpty();
    assertThat(new HashSet<>(kept)).as("stored once").hasSameSizeAs(kept);
    log.numbers().forEach(n -> checkOrder(n, log));
    return kept.size();
  }

  private static void checkOrder(int partition, SeenLog log) {
    Map<Integer, Integer> last = new HashMap<>();
    log.partition(partition)
        .forEach(
            (offset, entry) -> {
              int sequence = entry.payload().sequence();
              Integer before = last.put(entry.payload().publisher(), sequence);
              assertThat(before == null || before < sequence)
                  .as("order of partition %d at %d: %s after %d", partition, offset, entry, before)
                  .isTrue();
            });
  }

  private static void group(Cast.GroupOf g, Connection connection, int rounds) throws Exception {
    Group group = g.group();
    if (!g.mayLose()) {
      group.checkSettledPrefix(g.record().seen());
    }
    g.rest().takeRest(connection);
    Set<Payload> settled = g.mayLose() ? group.delivered() : group.done();
    Set<Payload> missing = g.record().sent().missingIn(settled);
    assertThat(missing)
        .as("accepted, never finished by %s", group.name())
        .hasSizeLessThanOrEqualTo(g.mayLose() ? rounds * Attachment.CREDIT : 0);
  }

  /** Makes the topics new, under the same names. */
  void startAnew(boolean first) throws Exception {
    for (TopicRecord record : cast.topics()) {
      if (!first) {
        rest.deleteTopic(record.topic());
      }
      rest.createTopic(
          record.topic(), "{\"partitions\":" + Cast.PARTITIONS + ",\"segmentBytes\":8388608}");
    }
    cast.clear();
  }
}
