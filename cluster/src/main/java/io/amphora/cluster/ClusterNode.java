package io.amphora.cluster;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import io.amphora.core.Membership;
import io.amphora.core.PositionStore;
import io.amphora.core.TopologyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's Hazelcast member and the ports built on it. Blocking: start and close off loops. */
public final class ClusterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  /** Own limit of every map call (safety rule 17). */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

  /** Scans that may wait for the one thread that does them. */
  private static final int WAITING_SCANS = 16;

  /** Long enough for Hazelcast to notice that our dead predecessor is dead. */
  private static final Duration TWIN_WAIT = Duration.ofSeconds(15);

  private final HazelcastInstance hazelcast;
  private final ExecutorService scans;
  private final Membership membership;
  private final TopologyStore topologyStore;
  private final PositionStore positionStore;

  private ClusterNode(HazelcastInstance hazelcast, String brokerId) {
    this.hazelcast = hazelcast;
    this.scans =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_SCANS),
            task -> daemon(task, "cluster-scan"));
    this.membership = new HazelcastMembership(hazelcast.getCluster(), brokerId);
    this.topologyStore =
        new HazelcastTopologyStore(
            new HazelcastLiveMap<>(
                hazelcast.getMap(MemberConfig.TOPOLOGY), PublishTopology::new, scans),
            CALL_TIMEOUT);
    this.positionStore =
        new HazelcastPositionStore(
            new HazelcastLiveMap<>(
                hazelcast.getMap(MemberConfig.POSITIONS), MergePosition::new, scans),
            CALL_TIMEOUT);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts the member and waits until it has joined.
   *
   * @throws UncheckedIOException when the host is unknown or the port is taken
   * @throws IllegalStateException when another member has the same broker id
   */
  public static ClusterNode start(ClusterOptions options) {
    return start(options, TWIN_WAIT);
  }

  static ClusterNode start(ClusterOptions options, Duration twinWait) {
    HazelcastInstance hazelcast = startMember(options);
    try {
      TwinCheck.await(hazelcast.getCluster(), twinWait);
      ClusterNode node = new ClusterNode(hazelcast, options.brokerId());
      LOG.info(
          "broker {} is in cluster {} with {}",
          options.brokerId(),
          options.clusterName(),
          node.membership.view().members());
      return node;
    } catch (RuntimeException e) {
      hazelcast.getLifecycleService().terminate();
      throw e;
    }
  }

  private static HazelcastInstance startMember(ClusterOptions options) {
    try {
      InetAddress address = InetAddress.getByName(options.host());
      return Hazelcast.newHazelcastInstance(MemberConfig.of(options, address));
    } catch (IOException e) {
      throw new UncheckedIOException("unknown host " + options.host(), e);
    } catch (HazelcastException e) {
      if (!isBindFailure(e)) {
        throw e;
      }
      BindException cause = new BindException(String.valueOf(e.getMessage()));
      cause.initCause(e);
      throw new UncheckedIOException(
          "cannot listen on Hazelcast port "
              + options.host()
              + ":"
              + options.port()
              + ": it is taken or not an address of this machine; set cluster.hazelcast.port",
          cause);
    }
  }

  private static boolean isBindFailure(HazelcastException e) {
    return e.getCause() instanceof IOException
        || String.valueOf(e.getMessage()).contains("bind has failed");
  }

  public Membership membership() {
    return membership;
  }

  public TopologyStore topologyStore() {
    return topologyStore;
  }

  public PositionStore positionStore() {
    return positionStore;
  }

  /** Actual Hazelcast port. */
  public int port() {
    return hazelcast.getCluster().getLocalMember().getAddress().getPort();
  }

  HazelcastInstance hazelcast() {
    return hazelcast;
  }

  /** Leaves the cluster, handing over what it holds. */
  @Override
  public void close() {
    scans.shutdownNow();
    hazelcast.shutdown();
  }
}
