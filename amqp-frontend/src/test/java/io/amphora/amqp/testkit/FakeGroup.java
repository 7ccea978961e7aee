package io.amphora.amqp.testkit;

import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.wal.LogRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  void settle(List<Settlement> settlements) {
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
