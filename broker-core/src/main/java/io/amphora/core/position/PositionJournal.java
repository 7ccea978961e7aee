package io.amphora.core.position;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.PositionStore.PositionLookup;
import io.amphora.core.Reply;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One led partition of {@code __positions}: the truth about the positions of its groups (safety
 * rules 16 and 17). Owned by the loop of that partition.
 *
 * <p>It reads the whole partition before it answers or takes anything; then it appends {@code
 * merge(current, new)}, one batch at a time, and tells the position store after the commit. What
 * arrives while a batch is on its way goes into the next one.
 *
 * <p>Positions of deleted topics need no tombstone to be harmless: keys carry ids that are new at
 * each creation (safety rule 18), so nobody asks for them again. They are dropped from memory when
 * the topic is deleted, and by the next load.
 */
public final class PositionJournal implements LeadershipListener {
  /** The topic that keeps positions. */
  public static final String TOPIC = "__positions";

  private static final Logger LOG = LoggerFactory.getLogger(PositionJournal.class);
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
  private static final int STEP_BYTES = 1 << 20;
  private static final int BATCH_BYTES = 1 << 20;
  private static final long FIRST_RETRY_NANOS = 100_000_000L;
  private static final long LAST_RETRY_NANOS = 10_000_000_000L;

  private final TopicInfo topic;
  private final int partition;
  private final Loop loop;
  private final NodeServices services;
  private final Map<Integer, PositionJournal> leadingHere;
  private final Map<PositionKey, Position> table = new HashMap<>();
  private final Map<PositionKey, JournalEntry> queued = new LinkedHashMap<>();
  private Map<PositionKey, JournalEntry> inFlight = Map.of();

  /** Positions of deleted groups that the log still shows. */
  private final Set<PositionKey> dead = new LinkedHashSet<>();

  private Set<PositionKey> burying = Set.of();
  private boolean appending;
  private long retryNanos = FIRST_RETRY_NANOS;
  private boolean loaded;
  private int term;

  /**
   * @param topic the topic {@code __positions}
   * @param loop owner of the partition
   * @param leadingHere journals that lead on this loop; it enters and leaves by itself
   */
  public PositionJournal(
      TopicInfo topic,
      int partition,
      Loop loop,
      NodeServices services,
      Map<Integer, PositionJournal> leadingHere) {
    this.topic = topic;
    this.partition = partition;
    this.loop = loop;
    this.services = services;
    this.leadingHere = leadingHere;
  }

  @Override
  public void onLeading(CommittedLog committed) {
    term++;
    loaded = false;
    retryNanos = FIRST_RETRY_NANOS;
    leadingHere.put(partition, this);
    load(committed, committed.logStart(), committed.highWatermark());
  }

  @Override
  public void onProgress() {}

  @Override
  public void onStopped(BrokerException reason) {
    term++;
    loaded = false;
    table.clear();
    leadingHere.remove(partition);
    answer(inFlight, false);
    inFlight = Map.of();
    dead.clear();
    burying = Set.of();
    appending = false;
    Map<PositionKey, JournalEntry> waiting = new LinkedHashMap<>(queued);
    queued.clear();
    answer(waiting, false);
  }

  /** Reads one step and posts the next, so that neither memory nor a turn of the loop grows. */
  private void load(CommittedLog committed, long from, long end) {
    if (from >= end) {
      finishLoad(end);
      return;
    }
    int myTerm = term;
    committed.read(
        new ReadRequest(from, STEP_BYTES),
        reply -> {
          if (myTerm == term) {
            onStep(committed, from, end, reply);
          }
        });
  }

  private void onStep(CommittedLog committed, long from, long end, Reply<ReadSlice> reply) {
    if (reply instanceof Reply.Failed<ReadSlice> failed
        && failed.error().code() == ErrorCode.CORRUPT) {
      onCorrupt(from, failed.error());
    } else if (reply instanceof Reply.Ok<ReadSlice> ok && !ok.value().batches().isEmpty()) {
      try {
        long next = apply(ok.value().batches());
        later(0, () -> load(committed, Math.max(from, next), end));
      } catch (BrokerException corrupt) {
        onCorrupt(from, corrupt);
      }
    } else {
      LOG.warn("{}-{}: positions cannot be read at {}: {}", TOPIC, partition, from, reply);
      later(retryNanos, () -> load(committed, Math.max(from, committed.logStart()), end));
      retryNanos = Math.min(LAST_RETRY_NANOS, retryNanos * 2);
    }
  }

  /** Groups of this partition wait: starting them afresh would deliver again what is done. */
  private void onCorrupt(long from, BrokerException error) {
    LOG.error(
        "{}-{}: {} (read at {}). Groups with positions here cannot be served: restore the partition "
            + "from a replica or a backup.",
        TOPIC,
        partition,
        error.getMessage(),
        from);
  }

  private void later(long nanos, Runnable step) {
    int myTerm = term;
    Runnable guarded =
        () -> {
          if (myTerm == term) {
            step.run();
          }
        };
    if (nanos == 0) {
      loop.execute(guarded);
    } else {
      loop.schedule(nanos, guarded);
    }
  }

  /** Returns the offset after the last batch. */
  private long apply(List<RecordBatch> batches) {
    long next = 0;
    for (RecordBatch batch : batches) {
      apply(batch);
      next = batch.endOffset();
    }
    return next;
  }

  private void apply(RecordBatch batch) {
    if (batch.isControl()) {
      return;
    }
    for (LogRecord record : batch) {
      if (!record.isWhole()) { // none is written that large: the ack window bounds them
        throw new BrokerException(
            ErrorCode.CORRUPT, "a position of " + record.bodyLength() + " bytes");
      }
      PositionKey key = PositionCodec.decodeKey(record.key());
      if (record.bodyLength() == 0) {
        table.remove(key);
        continue;
      }
      Position position = PositionCodec.decode(record.body());
      table.merge(key, position, PositionMerge::merge);
    }
  }

  private void finishLoad(long end) {
    services.topology().deleted().forEach(this::forgetTopic);
    loaded = true;
    LOG.info("{}-{}: {} positions loaded up to {}", TOPIC, partition, table.size(), end);
    if (!table.isEmpty()) {
      services.positionStore().merge(Map.copyOf(table));
    }
  }

  /** Drops the positions of a deleted topic from memory. */
  public void forgetTopic(UUID topicId) {
    table.keySet().removeIf(key -> key.topicId().equals(topicId));
  }

  /**
   * Writes a tombstone for each position of a deleted group. Without them the positions would be
   * harmless too (safety rule 18), but kept for ever. What the log refuses is tried with the next
   * batch.
   */
  public void forgetGroup(UUID groupId) {
    if (!loaded) {
      return;
    }
    Map<PositionKey, JournalEntry> late = new HashMap<>(queued);
    late.keySet().removeIf(key -> !key.groupId().equals(groupId));
    queued.keySet().removeAll(late.keySet());
    Set<PositionKey> known = new HashSet<>(table.keySet());
    known.addAll(inFlight.keySet());
    known.removeIf(key -> !key.groupId().equals(groupId));
    dead.addAll(known);
    answer(late, false);
    appendNext();
  }

  /** What is known of a position, with what is on its way to the log: a merge can only add. */
  public PositionLookup lookup(PositionKey key) {
    if (!loaded) {
      return new PositionLookup.Unknown();
    }
    Optional<Position> known = Optional.ofNullable(table.get(key));
    known = plus(known, inFlight.get(key));
    known = plus(known, queued.get(key));
    return known
        .<PositionLookup>map(PositionLookup.Value::new)
        .orElseGet(PositionLookup.Missing::new);
  }

  private static Optional<Position> plus(Optional<Position> known, @Nullable JournalEntry entry) {
    if (entry == null) {
      return known;
    }
    return Optional.of(
        known.map(p -> PositionMerge.merge(p, entry.position())).orElse(entry.position()));
  }

  /** Takes positions for the next batch; {@code done} is called on this loop. */
  public void submit(Map<PositionKey, Position> positions, Consumer<Boolean> done) {
    if (!loaded || positions.isEmpty()) {
      done.accept(positions.isEmpty());
      return;
    }
    JournalEntry.Ticket ticket = new JournalEntry.Ticket(positions.size(), done);
    positions.forEach(
        (key, position) ->
            queued.merge(key, JournalEntry.of(position, ticket), JournalEntry::merge));
    appendNext();
  }

  private void appendNext() {
    if (appending) {
      return;
    }
    RecordBatchBuilder batch = new RecordBatchBuilder(256 * Math.min(queued.size(), 1024));
    Set<PositionKey> gone = new LinkedHashSet<>();
    Iterator<PositionKey> oldest = dead.iterator();
    while (oldest.hasNext() && batch.sizeInBytes() < BATCH_BYTES) {
      PositionKey key = oldest.next();
      oldest.remove();
      gone.add(key);
      add(batch, key, new byte[0]);
    }
    Map<PositionKey, JournalEntry> taken = new HashMap<>();
    Map<PositionKey, JournalEntry> unchanged = new HashMap<>();
    Iterator<Map.Entry<PositionKey, JournalEntry>> next = queued.entrySet().iterator();
    while (next.hasNext() && batch.sizeInBytes() < BATCH_BYTES) {
      Map.Entry<PositionKey, JournalEntry> entry = next.next();
      next.remove();
      JournalEntry merged = entry.getValue().over(table.get(entry.getKey()));
      if (merged.position().equals(table.get(entry.getKey()))) {
        unchanged.put(entry.getKey(), merged);
      } else {
        taken.put(entry.getKey(), merged);
        add(batch, entry.getKey(), PositionCodec.encode(merged.position()));
      }
    }
    inFlight = taken;
    burying = gone;
    appending = !taken.isEmpty() || !gone.isEmpty();
    answer(unchanged, true);
    if (appending) {
      append(batch);
    }
  }

  /** A position, or, without a body, its tombstone. */
  private static void add(RecordBatchBuilder batch, PositionKey key, byte[] body) {
    byte[] bytes = PositionCodec.encodeKey(key);
    batch.add(
        RecordFields.keyed(bytes, Arrays.hashCode(bytes)),
        EMPTY.duplicate(),
        EMPTY.duplicate(),
        ByteBuffer.wrap(body));
  }

  private void append(RecordBatchBuilder batch) {
    int myTerm = term;
    Optional<PartitionRef> self = services.partition(topic, partition);
    if (self.isEmpty()) {
      loop.execute(() -> onAppended(myTerm, false));
      return;
    }
    self.get()
        .append(
            new AppendRequest(
                batch,
                Acks.ALL,
                loop,
                (request, result) -> onAppended(myTerm, result instanceof AppendResult.Appended)));
  }

  private void onAppended(int myTerm, boolean committed) {
    if (myTerm != term) {
      return;
    }
    Map<PositionKey, JournalEntry> batch = inFlight;
    Set<PositionKey> buried = burying;
    inFlight = Map.of();
    burying = Set.of();
    appending = false;
    if (committed) {
      table.keySet().removeAll(buried);
      Map<PositionKey, Position> written = new HashMap<>();
      batch.forEach((key, entry) -> written.put(key, entry.position()));
      table.putAll(written);
      services.positionStore().merge(written);
    } else {
      dead.addAll(buried);
    }
    if (!queued.isEmpty() || (committed && !dead.isEmpty())) {
      appendNext();
    }
    answer(batch, committed);
  }

  private static void answer(Map<PositionKey, JournalEntry> entries, boolean committed) {
    entries.values().forEach(entry -> entry.answer(committed));
  }

  /** Positions that it keeps. */
  public int size() {
    return table.size();
  }

  /** True when lookups are answered. */
  public boolean isLoaded() {
    return loaded;
  }
}
