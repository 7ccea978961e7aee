package io.amphora.core.delivery;

import com.codahale.metrics.Meter;
import io.amphora.core.filter.Candidate;
import io.amphora.core.filter.MemberFilter;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Messages of a shared group that nobody with credit wanted when it was their turn: they stay for
 * others, and the group goes on behind them. Each is looked at once for each filter. Holds offsets;
 * the records of one read are kept until they are handed out. Owned by the partition loop.
 */
final class PassedOver {
  /**
   * The group looks no further when so many wait. Each may be a gap in the position, which is
   * journaled as a whole.
   */
  static final int LIMIT = 10_000;

  private final Meter failures;
  private final TreeMap<Long, ReturnedMessages.Message> waiting = new TreeMap<>();
  private final Map<Long, LogRecord> fetched = new HashMap<>();
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private int filters;

  PassedOver(Meter failures) {
    this.failures = failures;
  }

  /** Puts a member on the lane of its filter. */
  void join(Seat seat) {
    MemberFilter wanted = seat.member().request().options().filter();
    Lane lane = lanes.computeIfAbsent(wanted.text(), text -> open(wanted));
    lane.members++;
    seat.lane(lane);
  }

  private Lane open(MemberFilter wanted) {
    Lane lane = new Lane(wanted, failures);
    lane.scanEnd = waiting.isEmpty() ? 0 : waiting.lastKey() + 1;
    filters += lane.isAll() ? 0 : 1;
    return lane;
  }

  void leave(Seat seat) {
    Lane lane = seat.lane();
    if (--lane.members == 0 && lanes.values().remove(lane)) {
      filters -= lane.isAll() ? 0 : 1;
    }
  }

  /** True when some member does not want all messages. */
  boolean isFiltered() {
    return filters > 0;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  boolean hasRoom() {
    return waiting.size() < LIMIT;
  }

  Collection<Lane> lanes() {
    return lanes.values();
  }

  /** Nobody with credit wants it now. */
  void add(Candidate candidate, ReturnedMessages.Message message) {
    long offset = candidate.record().offset();
    waiting.put(offset, message);
    for (Lane lane : lanes.values()) {
      if (!lane.isAll() && lane.wants(candidate)) {
        lane.matching.add(offset);
      }
    }
  }

  ReturnedMessages.Message message(long offset) {
    return waiting.getOrDefault(offset, ReturnedMessages.Message.NEW);
  }

  boolean contains(long offset) {
    return waiting.containsKey(offset);
  }

  /** The next message that the lane has not looked at. */
  OptionalLong unseen(Lane lane) {
    Long offset = lane.scanFrom < lane.scanEnd ? waiting.ceilingKey(lane.scanFrom) : null;
    if (offset == null || !lane.isUnseen(offset)) {
      lane.scanFrom = lane.scanEnd;
      return OptionalLong.empty();
    }
    return OptionalLong.of(offset);
  }

  /** What the lane wants, lowest offset first. */
  Collection<Long> wantedBy(Lane lane) {
    return lane.isAll() ? waiting.keySet() : lane.matching;
  }

  /** True when something waits that the member wants, or that it may want. */
  boolean mayHave(Seat seat, int limit) {
    Lane lane = seat.lane();
    return unseen(lane).isPresent()
        || wantedBy(lane).stream()
            .limit(limit)
            .anyMatch(offset -> !message(offset).excluded().contains(seat));
  }

  Optional<LogRecord> record(long offset) {
    return Optional.ofNullable(fetched.get(offset));
  }

  /** Keeps the records of a read that wait here, instead of those of the read before. */
  void onFetched(List<RecordBatch> batches) {
    fetched.clear();
    for (RecordBatch batch : batches) {
      if (batch.isControl()) {
        continue;
      }
      for (LogRecord record : batch) {
        if (waiting.containsKey(record.offset())) {
          fetched.put(record.offset(), record);
        }
      }
    }
  }

  /** It is handed out, or gone. */
  void remove(long offset) {
    waiting.remove(offset);
    fetched.remove(offset);
    lanes.values().forEach(lane -> lane.matching.remove(offset));
  }

  /** Offsets that retention took. */
  List<Long> below(long logStart) {
    return waiting.isEmpty() || waiting.firstKey() >= logStart
        ? List.of()
        : new ArrayList<>(waiting.headMap(logStart).keySet());
  }

  /** The last member left: nothing is held ready. */
  void onAbandoned() {
    fetched.clear();
  }
}
