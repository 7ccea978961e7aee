package io.amphora.amqp.testkit;

import io.amphora.core.delivery.Claim;
import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.wal.LogRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A shared group: members compete, what is returned goes first. */
public final class FakeGroup {

  private final FakeBroker broker;
  private final String topic;
  private final int[] cursors;
  private final ArrayDeque<Delivery> returned = new ArrayDeque<>();
  private final Map<String, Handed> inFlight = new HashMap<>();
  final List<FakeMember> members = new ArrayList<>();
  public final List<Settlement> settled = new ArrayList<>();

  /** Drains are not answered. */
  public boolean drainsHang;

  /** Calls of settle. */
  public int settleCalls;

  /** Whether the journal is slow: answers wait for {@link #journal}. */
  public boolean slow;

  /** How transactions ended that had claimed something. */
  public final List<Claim.End> ends = new ArrayList<>();

  private final List<Runnable> waiting = new ArrayList<>();

  private record Handed(Delivery delivery, FakeMember member) {}

  FakeGroup(FakeBroker broker, SubscribeRequest request) {
    this.broker = broker;
    this.topic = request.topic();
    this.cursors = new int[broker.partitionsOf(topic).size()];
    if (request.start() instanceof StartPosition.Latest) {
      for (int i = 0; i < cursors.length; i++) {
        cursors[i] = broker.partition(topic, i).records.size();
      }
    } else if (request.start() instanceof StartPosition.AtOffset at) {
      java.util.Arrays.fill(cursors, (int) at.offset());
    }
    for (int i = 0; i < cursors.length && request.options().only().isPresent(); i++) {
      if (i != request.options().only().getAsInt()) {
        cursors[i] = Integer.MAX_VALUE;
      }
    }
  }

  String topic() {
    return topic;
  }

  public int memberCount() {
    return members.size();
  }

  public int inFlight() {
    return inFlight.size();
  }

  void join(FakeMember member) {
    member.group = this;
    members.add(member);
    member.tell(member.listener::onAttached);
    dispatch();
  }

  void leave(FakeMember member) {
    members.remove(member);
    List<Handed> back = new ArrayList<>(inFlight.values());
    back.removeIf(h -> h.member != member);
    back.sort(java.util.Comparator.comparingLong(h -> -h.delivery.record().offset()));
    for (Handed handed : back) {
      inFlight.remove(key(handed.delivery));
      returned.addFirst(handed.delivery);
    }
    dispatch();
  }

  private static String key(Delivery d) {
    return d.partition() + "/" + d.record().offset();
  }

  void dispatch() {
    for (FakeMember member : List.copyOf(members)) {
      List<Delivery> batch = new ArrayList<>();
      while (member.credit > 0) {
        Delivery next = next();
        if (next == null) {
          break;
        }
        member.credit--;
        if (!member.request.options().atMostOnce()) {
          inFlight.put(key(next), new Handed(next, member));
        }
        batch.add(next);
      }
      if (!batch.isEmpty()) {
        member.tell(() -> member.listener.onDeliveries(batch));
      }
    }
  }

  private Delivery next() {
    Delivery back = returned.poll();
    if (back != null) {
      return back;
    }
    for (int p = 0; p < cursors.length; p++) {
      List<LogRecord> records = broker.partition(topic, p).records;
      if (cursors[p] < records.size()) {
        return new Delivery(p, records.get(cursors[p]++), 0, true, new byte[0]);
      }
    }
    return null;
  }

  void onDurable(Runnable told) {
    if (slow) {
      waiting.add(told);
    } else {
      told.run();
    }
  }

  /** Keeps deliveries for a transaction; what they were goes back when it does not commit. */
  Claim claim(FakeMember member, List<Settlement> settlements, boolean settled) {
    Map<String, Handed> claimed = new LinkedHashMap<>();
    for (Settlement s : settlements) {
      String key = s.partition() + "/" + s.offset();
      Handed handed = inFlight.remove(key);
      if (handed != null) {
        claimed.put(key, handed);
      }
    }
    return new Claim() {
      @Override
      public boolean isWhole() {
        return claimed.size() == settlements.size();
      }

      @Override
      public Map<PositionKey, Position> changes() {
        PositionKey key = new PositionKey(new UUID(0, 1), new UUID(0, 2), 0);
        return Map.of(key, Position.at(0));
      }

      @Override
      public void end(End how) {
        broker.home().execute(() -> endClaim(claimed, settlements, settled, how));
      }
    };
  }

  private void endClaim(
      Map<String, Handed> claimed, List<Settlement> words, boolean settled, Claim.End how) {
    ends.add(how);
    if (how != Claim.End.COMMIT && settled) {
      Outcome.Modified failed = new Outcome.Modified(how == Claim.End.ROLLBACK, false, new byte[0]);
      inFlight.putAll(claimed);
      settle(words.stream().map(w -> new Settlement(w.partition(), w.offset(), failed)).toList());
      return;
    }
    inFlight.putAll(claimed);
    if (how == Claim.End.COMMIT) {
      settle(words);
    }
  }

  /** The core ends all subscriptions. */
  public void detachAll(io.amphora.core.BrokerException reason) {
    List.copyOf(members).forEach(member -> member.detach(reason));
  }

  /** The journal has all that was settled. */
  public void journal() {
    List<Runnable> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(Runnable::run);
  }

  public void settle(List<Settlement> settlements) {
    settleCalls++;
    for (Settlement s : settlements) {
      Handed handed = inFlight.remove(s.partition() + "/" + s.offset());
      if (handed == null) {
        continue;
      }
      settled.add(s);
      Delivery d = handed.delivery;
      if (s.outcome() instanceof Outcome.Released) {
        returned.add(new Delivery(d.partition(), d.record(), d.attempts(), false, new byte[0]));
      } else if (s.outcome() instanceof Outcome.Modified modified
          && !modified.undeliverableHere()) {
        int attempts = d.attempts() + (modified.failed() ? 1 : 0);
        returned.add(
            new Delivery(d.partition(), d.record(), attempts, false, modified.annotations()));
      }
    }
    dispatch();
  }
}
