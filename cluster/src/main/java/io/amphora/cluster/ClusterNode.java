package io.amphora.cluster;

import io.amphora.core.Membership;
import io.amphora.core.PositionStore;
import io.amphora.core.TopologyStore;

/** This node's Hazelcast member and the ports built on it. Blocking: start and close off loops. */
public final class ClusterNode implements AutoCloseable {

  private ClusterNode() {}

  /**
   * Starts the member and waits until it has joined.
   *
   * @throws java.io.UncheckedIOException when the port is taken
   */
  public static ClusterNode start(ClusterOptions options) {
    throw new UnsupportedOperationException();
  }

  public Membership membership() {
    throw new UnsupportedOperationException();
  }

  public TopologyStore topologyStore() {
    throw new UnsupportedOperationException();
  }

  public PositionStore positionStore() {
    throw new UnsupportedOperationException();
  }

  /** Actual Hazelcast port. */
  public int port() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
