package io.amphora.core.node;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.FaultHandler;
import io.amphora.core.Loop;
import io.amphora.core.Membership;
import io.amphora.core.PositionStore;
import io.amphora.core.TopologyStore;
import io.amphora.wal.Wal;
import java.util.List;

/**
 * What the core needs from outside.
 *
 * @param loops event loops for partitions, one per thread
 * @param control the control loop of the node; may be one of {@code loops}
 * @param wal the logs
 * @param membership who is in the cluster
 * @param topologyStore cluster-wide cache of the topology
 * @param positionStore live positions
 * @param faults who decides about faults
 * @param metrics where figures go
 */
public record BrokerPorts(
    List<Loop> loops,
    Loop control,
    Wal wal,
    Membership membership,
    TopologyStore topologyStore,
    PositionStore positionStore,
    FaultHandler faults,
    MetricRegistry metrics) {}
