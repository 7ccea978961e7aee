package io.amphora.boot.perf.load;

import io.amphora.boot.perf.wire.Consumer;
import io.amphora.boot.perf.wire.Quota;
import io.amphora.boot.perf.wire.Target;
import io.amphora.boot.perf.wire.Wire;
import io.amphora.boot.perf.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
      throws WireException, InterruptedException {
    List<Wire> wires = new ArrayList<>();
    Quota none = new Quota(0);
    try {
      long before = server.residentKiB();
      for (int i = 0; i < count; i++) {
        Wire wire =
            Wire.open("idle-" + i, target, new Consumer(1, none, Optional.empty(), () -> {}));
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
