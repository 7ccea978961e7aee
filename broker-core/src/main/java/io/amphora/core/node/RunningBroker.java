package io.amphora.core.node;

/** A started broker that can be stopped. */
public interface RunningBroker extends Broker {

  /**
   * Stops gently: no new appends, what is pending is answered, positions are journaled, members are
   * detached with {@code SHUTTING_DOWN}, logs are left for the {@link io.amphora.wal.Wal} to close.
   *
   * @param done called on the control loop
   */
  void stop(Runnable done);
}
