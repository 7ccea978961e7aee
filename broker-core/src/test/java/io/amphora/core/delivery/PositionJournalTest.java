package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.PositionStore.PositionLookup;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionJournal;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.Reset;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PositionJournalTest {
  private final FakeNode node = new FakeNode(5);
  private final TopicInfo topic = node.createTopic(PositionJournal.TOPIC, 1);
  private final FakeLog log = node.log(PositionJournal.TOPIC, 0);
  private final List<Boolean> answers = new ArrayList<>();

  private PositionJournal lead() {
    PositionJournal journal = new PositionJournal(topic, 0, log.loop, node, new HashMap<>());
    log.lead(journal);
    return journal;
  }

  private static PositionKey key(int number) {
    return new PositionKey(new UUID(1, number), new UUID(2, 2), 0);
  }

  private void submit(PositionJournal journal, Map<PositionKey, Position> positions) {
    log.loop.execute(() -> journal.submit(positions, answers::add));
  }

  /** Takes about 8 kB in the journal. */
  private static Position large(int number) {
    List<OffsetRange> done =
        LongStream.range(0, 4000).mapToObj(i -> new OffsetRange(10 + 3 * i, 11 + 3 * i)).toList();
    return new Position(Reset.NONE, number % 10, done, Map.of(), List.of());
  }

  private Map<PositionKey, Position> manyLarge() {
    Map<PositionKey, Position> many = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      many.put(key(i), large(i));
    }
    return many;
  }

  @Test
  void shouldBoundItsBatchesAndItsReads() {
    PositionJournal journal = lead();
    node.run();
    submit(journal, manyLarge());
    node.run();
    assertThat(answers).containsExactly(true);
    assertThat(node.journalAppends).isBetween(3, 6);
    assertThat(log.batches).allMatch(batch -> batch.size() < 1_200_000);

    log.reads = 0;
    PositionJournal again = lead();
    node.run();
    assertThat(log.reads).isGreaterThanOrEqualTo(3);
    assertThat(again.lookup(key(7))).isEqualTo(new PositionLookup.Value(large(7)));
  }

  @Test
  void shouldKnowNothingUntilAllIsRead() {
    PositionJournal journal = lead();
    node.run();
    submit(journal, manyLarge());
    node.run();
    log.cold = true;
    PositionJournal again = lead();
    int unknown = 0;
    while (!again.isLoaded() && node.sim.step()) {
      assertThat(again.isLoaded() || again.lookup(key(999)) instanceof PositionLookup.Unknown)
          .isTrue();
      unknown++;
    }
    assertThat(unknown).isGreaterThan(3);
    assertThat(again.lookup(key(999))).isEqualTo(new PositionLookup.Missing());
    assertThat(again.lookup(key(1))).isEqualTo(new PositionLookup.Value(large(1)));
  }

  @Test
  void shouldAppendTheMergeAndNothingWhenEqual() {
    PositionJournal journal = lead();
    node.run();
    submit(journal, Map.of(key(1), Position.at(5)));
    node.run();
    submit(journal, Map.of(key(1), Position.at(5)));
    submit(journal, Map.of(key(1), Position.at(3)));
    node.run();
    assertThat(node.journalAppends).isEqualTo(1);
    assertThat(answers).containsExactly(true, true, true);
    submit(
        journal,
        Map.of(
            key(1),
            new Position(Reset.NONE, 2, List.of(new OffsetRange(5, 7)), Map.of(9L, 2), List.of())));
    node.run();
    assertThat(journal.lookup(key(1)))
        .isEqualTo(
            new PositionLookup.Value(
                new Position(Reset.NONE, 7, List.of(), Map.of(9L, 2), List.of())));
    assertThat(node.store.table).containsKey(key(1));
  }

  @Test
  void shouldSayNoWhenTheLogRefuses() {
    PositionJournal journal = lead();
    node.run();
    node.journalRefuses = true;
    submit(journal, Map.of(key(1), Position.at(5)));
    node.run();
    assertThat(answers).containsExactly(false);
    assertThat(node.store.table).isEmpty();
    assertThat(journal.lookup(key(1))).isEqualTo(new PositionLookup.Missing());
  }

  @Test
  void shouldAnswerWhatIsOnItsWayWhenLeadershipEnds() {
    PositionJournal journal = lead();
    node.run();
    submit(journal, Map.of(key(1), Position.at(5)));
    submit(journal, Map.of(key(2), Position.at(5)));
    log.loop.execute(
        () ->
            journal.onStopped(
                new io.amphora.core.BrokerException(io.amphora.core.ErrorCode.NOT_LEADER, "x")));
    node.run();
    assertThat(answers).containsExactly(false, false);
    assertThat(journal.lookup(key(1))).isEqualTo(new PositionLookup.Unknown());
    assertThat(node.store.table).isEmpty();
  }

  @Test
  void shouldNotTakeDamageForAbsence() {
    log.append(
        new RecordBatchBuilder(16)
            .add(
                RecordFields.keyed(new byte[] {1, 2}, 0),
                FakeLog.bytes(""),
                FakeLog.bytes(""),
                FakeLog.bytes("junk")));
    PositionJournal journal = lead();
    node.run(20_000);
    assertThat(journal.lookup(key(1))).isEqualTo(new PositionLookup.Unknown());
    submit(journal, Map.of(key(1), Position.at(5)));
    node.run();
    assertThat(answers).containsExactly(false);
  }

  @Test
  void shouldForgetDeletedTopics() {
    PositionJournal journal = lead();
    node.run();
    submit(journal, Map.of(key(1), Position.at(5)));
    node.run();
    node.deleted.add(key(1).topicId());
    PositionJournal again = lead();
    node.run();
    assertThat(again.lookup(key(1))).isEqualTo(new PositionLookup.Missing());
  }

  private static PositionKey keyOf(long group, int partition) {
    return new PositionKey(new UUID(group, group), new UUID(2, 2), partition);
  }

  @Test
  void shouldBuryTheGroupThatIsDeletedAndNoOther() {
    PositionJournal journal = lead();
    node.run();
    submit(
        journal,
        Map.of(
            keyOf(7, 0), Position.at(5), keyOf(7, 1), Position.at(6), keyOf(8, 0), Position.at(7)));
    node.run();
    // One batch is on its way, one waits: both have positions of the group.
    submit(journal, Map.of(keyOf(7, 0), Position.at(8)));
    submit(journal, Map.of(keyOf(7, 2), Position.at(9), keyOf(8, 1), Position.at(9)));
    log.loop.execute(() -> journal.forgetGroup(new UUID(7, 7)));
    node.run();
    PositionJournal again = lead();
    node.run();
    assertThat(again.size()).isEqualTo(2);
    assertThat(again.lookup(keyOf(8, 0))).isEqualTo(new PositionLookup.Value(Position.at(7)));
    assertThat(again.lookup(keyOf(8, 1))).isEqualTo(new PositionLookup.Value(Position.at(9)));
    assertThat(again.lookup(keyOf(7, 0))).isEqualTo(new PositionLookup.Missing());
  }

  @Test
  void shouldBuryWithTheNextBatchWhatTheLogRefused() {
    PositionJournal journal = lead();
    node.run();
    submit(journal, Map.of(keyOf(7, 0), Position.at(5)));
    node.run();
    node.journalRefuses = true;
    log.loop.execute(() -> journal.forgetGroup(new UUID(7, 7)));
    node.run();
    node.journalRefuses = false;
    submit(journal, Map.of(keyOf(8, 0), Position.at(7)));
    node.run();
    PositionJournal again = lead();
    node.run();
    assertThat(again.size()).isEqualTo(1);
  }
}
