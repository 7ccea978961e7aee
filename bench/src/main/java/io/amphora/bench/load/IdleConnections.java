package io.amphora.bench.load;

import io.amphora.bench.wire.Consumer;
import io.amphora.bench.wire.Target;
import io.amphora.bench.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a connection costs a broker that has nothing to send to it. */
public final class IdleConnections {

  private static final int SETTLE_MILLIS = 3_000;

  private IdleConnections() {}

  /**
   * Opens connections with one receiver each and looks at the broker's memory.
   *
   * @return resident KiB per connection; the heap is not collected, so it is an upper bound
   */
  public static double kibEach(Target target, int count, ServerProcess server)
      throws IOException, InterruptedException {
    List<Wire> wires = new ArrayList<>();
    try {
      long before = server.residentKiB();
      for (int i = 0; i < count; i++) {
        Wire wire = new Wire("idle-" + i, target, new Consumer(8, 1, () -> {}));
        wires.add(wire);
        wire.awaitReady();
      }
      Thread.sleep(SETTLE_MILLIS);
      return (server.residentKiB() - before) / (double) count;
    } finally {
      wires.forEach(Wire::close);
    }
  }
}
