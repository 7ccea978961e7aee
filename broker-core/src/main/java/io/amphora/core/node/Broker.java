package io.amphora.core.node;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.UserCredential;
import io.amphora.core.transaction.Transactions;
import io.amphora.wal.Spool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The broker as front ends see it. Callable from any loop; never blocks. */
public interface Broker {

  /** The latest topology; a volatile read. */
  Topology topology();

  /** Alarms, readiness and figures; cheap, any thread. */
  BrokerStatus status();

  /**
   * Creates a topic. Answered when its partitions can take messages.
   *
   * @param done gets {@code ALREADY_EXISTS}, {@code INVALID_FIELD} (bad name or setting), or the
   *     topic
   */
  void createTopic(String name, TopicConfig config, Loop owner, Consumer<Reply<TopicInfo>> done);

  /**
   * Creates a topic with a name of its own that does not outlive the node: the next start deletes
   * it. One partition; nothing is forced to disk.
   */
  void createTemporaryTopic(Loop owner, Consumer<Reply<TopicInfo>> done);

  /** Deletes a topic with its data; members are detached with {@code RESOURCE_DELETED}. */
  void deleteTopic(String name, Loop owner, Consumer<Reply<TopicInfo>> done);

  /** A partition, when the topic exists and has it. */
  Optional<PartitionRef> partition(TopicInfo topic, int partition);

  /**
   * Opens a spool for the body of a large message; it is appended with {@code
   * RecordBatchBuilder.addSpooled}. Answers at once; {@code RESOURCE_LIMIT} when there are too many
   * spools or the disk is low: try again later.
   *
   * @param owner loop of the sender; only it may use the spool
   */
  Reply<Spool> openSpool(Loop owner);

  /**
   * Joins a group.
   *
   * @param owner loop of the receiver; all listener calls arrive there
   */
  Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener);

  /**
   * Deletes a group with its positions. Members that left before are gone, whatever they held.
   *
   * @param done gets {@code RESOURCE_LOCKED} while the group has members, {@code NOT_FOUND}, or the
   *     group as it was
   */
  void deleteGroup(String name, Loop owner, Consumer<Reply<GroupInfo>> done);

  /** The transactions of this node. */
  Transactions transactions();

  /** Members of all groups now. */
  void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done);

  /** The live positions of all groups. */
  void positions(Loop owner, Consumer<Reply<Map<PositionKey, Position>>> done);

  /** Creates or replaces a user. */
  void putUser(UserCredential user, Loop owner, Consumer<Reply<UserCredential>> done);

  /** Removes a user; {@code NOT_FOUND} when there is none. */
  void deleteUser(String name, Loop owner, Consumer<Reply<String>> done);
}
