package io.amphora.amqp.open;

import io.amphora.core.Loop;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Container ids of the connections that asked to be the only one with theirs. All listeners of a
 * broker share one. Owned by the loop given at construction; calls come from any loop.
 */
public final class SoleContainers {

  private final Loop home;
  private final Map<String, Object> holders = new HashMap<>();

  public SoleContainers(Loop home) {
    this.home = home;
  }

  /**
   * Asks for a container id.
   *
   * @param holder who asks, for {@link #release}; nobody else's
   * @param owner loop on which the answer arrives
   * @param done gets whether it has the id now
   */
  void claim(String id, Object holder, Loop owner, Consumer<Boolean> done) {
    home.execute(
        () -> {
          boolean free = holders.putIfAbsent(id, holder) == null;
          owner.execute(() -> done.accept(free));
        });
  }

  /** Gives an id back, also one whose claim is under way; that of another holder stays. */
  void release(String id, Object holder) {
    home.execute(() -> holders.remove(id, holder));
  }
}
