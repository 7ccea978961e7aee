package io.amphora.boot.chaos;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the publishers sent to one topic, and what the broker said of it. For all threads. */
final class Sent {

  private final Set<Payload> all = ConcurrentHashMap.newKeySet();
  private final Set<Payload> accepted = ConcurrentHashMap.newKeySet();

  /** Before it leaves. */
  void sending(Payload payload) {
    all.add(payload);
  }

  /** The broker promised to keep it. */
  void accepted(Payload payload) {
    accepted.add(payload);
  }

  int acceptedCount() {
    return accepted.size();
  }

  /** Accepted, but not among these. */
  Set<Payload> missingIn(Collection<Payload> kept) {
    return without(accepted, kept);
  }

  /** Among these, but never sent. */
  Set<Payload> inventedIn(Collection<Payload> kept) {
    return without(kept, all);
  }

  /** AssertJ's own comparison of sets is quadratic: too slow for some hundred thousand. */
  private static Set<Payload> without(Collection<Payload> all, Collection<Payload> some) {
    Set<Payload> rest = new HashSet<>(all);
    some.forEach(rest::remove);
    return rest;
  }

  void clear() {
    all.clear();
    accepted.clear();
  }
}
