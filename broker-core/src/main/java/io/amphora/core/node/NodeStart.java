package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.MembershipView;
import io.amphora.core.Reply;
import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.replication.ReplicaState;
import io.amphora.core.replication.ReplicaStates;
import io.amphora.core.replication.ReplicaStatesCodec;
import io.amphora.core.topology.NodeIdentity;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyChange;
import io.amphora.core.topology.TopologyCodec;
import io.amphora.wal.LogName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a node to the point where its topology is its own: reads the documents, refuses a
 * directory that does not belong here, takes a controller term, makes or adopts the topology
 * (safety rule 9), and checks that no log is missing (safety rule 1). Owned by the control loop.
 */
final class NodeStart {

  private static final Logger LOG = LoggerFactory.getLogger(NodeStart.class);

  private final BrokerPorts ports;
  private final Documents documents;
  private final Supplier<UUID> ids;
  private final String self;
  private final Consumer<Reply<Foundation>> done;

  /**
   * What the node stands on.
   *
   * @param journal the topology, written under the term of this controller
   * @param states promises of its partitions
   */
  record Foundation(TopologyJournal journal, ReplicaStates states) {}

  NodeStart(BrokerPorts ports, Supplier<UUID> ids, Consumer<Reply<Foundation>> done) {
    this.ports = ports;
    this.documents = new Documents(ports.wal(), ports.control());
    this.ids = ids;
    this.self = ports.membership().view().self();
    this.done = done;
  }

  void run() {
    documents.read(
        Documents.NODE,
        node ->
            documents.read(
                TopologyJournal.DOCUMENT,
                topology ->
                    documents.read(
                        ReplicaStates.DOCUMENT, states -> onRead(node, topology, states))));
  }

  private void onRead(Reply<byte[]> node, Reply<byte[]> topology, Reply<byte[]> states) {
    try {
      onRead(node.orThrow(), topology.orThrow(), states.orThrow());
    } catch (BrokerException e) {
      done.accept(new Reply.Failed<>(e));
    } catch (IllegalArgumentException e) {
      fail(ErrorCode.CORRUPT, e.getMessage() + "; restore the file from a backup");
    }
  }

  private void onRead(byte[] node, byte[] topology, byte[] states) {
    NodeIdentity identity =
        node.length == 0 ? NodeIdentity.of(self, "", 0) : NodeIdentity.decode(node);
    if (!identity.brokerId().equals(self)) {
      throw new BrokerException(
          ErrorCode.PRECONDITION_FAILED,
          "the data directory belongs to broker '"
              + identity.brokerId()
              + "', this is '"
              + self
              + "': set broker.id to that name, or use another directory");
    }
    boolean fresh = topology.length == 0;
    boolean used =
        !identity.clusterId().isEmpty() || states.length > 0 || !ports.wal().existing().isEmpty();
    if (fresh && used) {
      throw new BrokerException(
          ErrorCode.CORRUPT,
          TopologyJournal.DOCUMENT
              + " is missing from a data directory that has been in use: restore it from a"
              + " backup");
    }
    if (states.length == 0 && !fresh && hasLed(TopologyCodec.decode(topology))) {
      throw new BrokerException(
          ErrorCode.CORRUPT,
          ReplicaStates.DOCUMENT
              + " is missing from the data directory: without it old epochs could be used again;"
              + " restore it from a backup");
    }
    Map<ReplicaKey, ReplicaState> promises =
        states.length == 0 ? Map.of() : ReplicaStatesCodec.decode(states);
    if (fresh) {
      takeTerm(identity, identity.promisedTerm(), term -> bootstrap(term, promises));
    } else {
      Topology stored = TopologyCodec.decode(topology);
      checkBelongs(identity, stored);
      Topology kept = withoutTemporary(stored);
      checkLogs(kept, promises);
      long known = Math.max(identity.promisedTerm(), stored.term());
      takeTerm(identity, known, term -> adopt(kept, term, promises));
    }
  }

  /** The links that held them are gone; opening erases their data. */
  private static Topology withoutTemporary(Topology stored) {
    List<TopicInfo> temporary =
        stored.topics().values().stream().filter(t -> TopicName.isTemporary(t.name())).toList();
    return temporary.isEmpty() ? stored : TopologyChange.withoutTopics(stored, temporary);
  }

  private static boolean hasLed(Topology stored) {
    return stored.topics().values().stream()
        .flatMap(t -> t.partitions().stream())
        .anyMatch(p -> p.epoch() > 0);
  }

  private void checkBelongs(NodeIdentity identity, Topology stored) {
    boolean other =
        !identity.clusterId().isEmpty() && !identity.clusterId().equals(stored.clusterId());
    if (other) {
      throw new BrokerException(
          ErrorCode.PRECONDITION_FAILED,
          "the data directory belongs to cluster "
              + identity.clusterId()
              + " but its topology to cluster "
              + stored.clusterId());
    }
    if (!stored.voters().equals(List.of(self))) {
      throw new BrokerException(
          ErrorCode.NOT_IMPLEMENTED,
          "the topology names the voters "
              + stored.voters()
              + ", this version runs a cluster of one broker");
    }
  }

  /** A log that was led must be there: an empty one in its place would forget records (rule 1). */
  private void checkLogs(Topology stored, Map<ReplicaKey, ReplicaState> promises) {
    List<LogName> existing = ports.wal().existing();
    Set<ReplicaKey> there = existing.stream().map(NodeStart::keyOf).collect(Collectors.toSet());
    Map<LogName, Integer> led =
        stored.topics().values().stream()
            .flatMap(t -> TopicPlan.setups(t, self).stream())
            .collect(Collectors.toMap(PartitionSetup::logName, s -> lastLed(s, promises)));
    for (Map.Entry<LogName, Integer> entry : led.entrySet()) {
      if (entry.getValue() > 0 && !there.contains(keyOf(entry.getKey()))) {
        throw new BrokerException(
            ErrorCode.CORRUPT,
            "the folder of "
                + entry.getKey()
                + " is missing from the data directory; restore it from a backup");
      }
    }
    for (LogName name : existing) {
      if (!led.containsKey(name) && !stored.deleted().contains(name.topicId())) {
        LOG.warn("the topology does not know {}; its folder is left alone", name);
      }
    }
  }

  /** By identity: of a damaged log the name is not known (safety rule 8). */
  private static ReplicaKey keyOf(LogName name) {
    return new ReplicaKey(name.topicId(), name.partition());
  }

  private static int lastLed(PartitionSetup setup, Map<ReplicaKey, ReplicaState> promises) {
    int shown = setup.topic().partitions().get(setup.number()).epoch();
    return Math.max(shown, promises.getOrDefault(setup.key(), ReplicaState.NEW).led());
  }

  /** Promises itself the next term, as the only voter; on disk before anything is written by it. */
  private void takeTerm(NodeIdentity identity, long known, Consumer<Long> taken) {
    MembershipView view = ports.membership().view();
    if (!view.controllerCandidate().equals(self)) {
      throw new BrokerException(
          ErrorCode.NOT_IMPLEMENTED,
          "broker '"
              + view.controllerCandidate()
              + "' is the controller of this cluster already; this version runs one broker a"
              + " cluster: use another cluster name or port");
    }
    long term = known + 1;
    byte[] document = NodeIdentity.of(self, identity.clusterId(), term).encode();
    documents.write(
        Documents.NODE,
        document,
        reply -> {
          if (reply instanceof Reply.Failed<String> failed) {
            done.accept(new Reply.Failed<>(failed.error()));
          } else {
            taken.accept(term);
          }
        });
  }

  private void bootstrap(long term, Map<ReplicaKey, ReplicaState> promises) {
    Topology first = TopologyChange.bootstrap(ids.get().toString(), self, term);
    Topology none = new Topology("", 0, 0, List.of(), Map.of(), Map.of(), Map.of(), List.of());
    LOG.info("new cluster {}, broker {}", first.clusterId(), self);
    own(new TopologyJournal(ports, none), first, promises);
  }

  private void adopt(Topology stored, long term, Map<ReplicaKey, ReplicaState> promises) {
    own(new TopologyJournal(ports, stored), TopologyChange.adopt(stored, term), promises);
  }

  private void own(TopologyJournal journal, Topology mine, Map<ReplicaKey, ReplicaState> promises) {
    journal.commit(
        mine,
        reply -> {
          if (reply instanceof Reply.Failed<Topology> failed) {
            done.accept(new Reply.Failed<>(failed.error()));
            return;
          }
          LOG.info(
              "broker {} is controller of cluster {} in term {}",
              self,
              mine.clusterId(),
              mine.term());
          nameCluster(journal, mine, promises);
        });
  }

  private void nameCluster(
      TopologyJournal journal, Topology mine, Map<ReplicaKey, ReplicaState> promises) {
    documents.write(
        Documents.NODE,
        NodeIdentity.of(self, mine.clusterId(), mine.term()).encode(),
        reply -> {
          if (reply instanceof Reply.Failed<String> failed) {
            done.accept(new Reply.Failed<>(failed.error()));
            return;
          }
          ReplicaStates states = new ReplicaStates(ports.wal(), ports.control(), promises);
          done.accept(Reply.ok(new Foundation(journal, states)));
        });
  }

  private void fail(ErrorCode code, String message) {
    done.accept(Reply.failed(code, message));
  }
}
