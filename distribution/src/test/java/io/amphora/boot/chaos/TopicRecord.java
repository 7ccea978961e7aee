package io.amphora.boot.chaos;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All that is known of one topic: what was sent, seen and in which order. For all threads. */
final class TopicRecord {

  private final String topic;
  private final Sent sent = new Sent();
  private final SeenLog seen = new SeenLog();
  private final Collection<Trace> traces = new ConcurrentLinkedQueue<>();

  TopicRecord(String topic) {
    this.topic = topic;
  }

  String topic() {
    return topic;
  }

  Sent sent() {
    return sent;
  }

  SeenLog seen() {
    return seen;
  }

  Collection<Trace> traces() {
    return traces;
  }

  /** A link attaches. */
  Trace trace(String name, Attachment how) {
    Trace trace = new Trace(name + " at " + how.address(), how.sight(), how.start());
    traces.add(trace);
    return trace;
  }

  /**
   * A link was given a message.
   *
   * @throws IllegalStateException when that cannot be
   */
  void arrived(Arrival arrival, Trace trace, Optional<Group> group) {
    seen.see(arrival.partition(), arrival.offset(), arrival.entry());
    trace.add(arrival.partition(), arrival.offset());
    group.ifPresent(g -> g.delivered(arrival.partition(), arrival.offset(), arrival.payload()));
  }

  void clear() {
    sent.clear();
    seen.clear();
    traces.clear();
  }
}
