package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Brokers in turns, each time with an empty store. The order turns round with every turn, so that
 * drift of a shared machine hits all alike.
 */
final class Turns {

  private static final long MILLION = 1_000_000;
  private static final int KIB = 1024;

  private final List<Contender> contenders;
  private final Path store;
  private final Table table;

  Turns(List<Contender> contenders, Path store, Table table) {
    this.contenders = new ArrayList<>(contenders);
    this.store = store;
    this.table = table;
  }

  /** What is done with an empty store. */
  interface Turn {
    void take(Contender contender) throws Exception;
  }

  private void each(Turn turn) throws Exception {
    for (Contender contender : contenders) {
      Store.empty(store);
      turn.take(contender);
      Store.wipe(store);
    }
    Collections.reverse(contenders);
  }

  /** Starts of an empty store. */
  void starts(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      each(
          contender -> {
            try (Server server = Server.start(contender, store)) {
              table.add(
                  "start to ready, empty store, ms",
                  contender.name(),
                  (double) server.readyMillis());
            }
          });
    }
  }

  /** All workloads, so many times. */
  void rounds(int count, Plan plan) throws Exception {
    for (int i = 0; i < count; i++) {
      each(contender -> new Round(contender, store, plan, table).run());
    }
  }

  /** A restart with a million messages against one without. */
  void million(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      each(this::million);
    }
  }

  private void million(Contender contender) throws Exception {
    // Makes the store, so that both restarts find one.
    Server.start(contender, store).close();
    long empty;
    try (Server server = Server.start(contender, store)) {
      empty = server.readyMillis();
      Result filled =
          server
              .generator()
              .publish(new Generator.Job("million", KIB, 0), Amount.messages(MILLION));
      if (filled.span().published() < MILLION) {
        throw new IllegalStateException("the store could not be filled");
      }
    }
    try (Server server = Server.start(contender, store)) {
      table.add("restart, empty store, ms", contender.name(), (double) empty);
      table.add("restart, 1,000,000 messages, ms", contender.name(), (double) server.readyMillis());
      table.add("difference, ms", contender.name(), (double) (server.readyMillis() - empty));
    }
  }
}
