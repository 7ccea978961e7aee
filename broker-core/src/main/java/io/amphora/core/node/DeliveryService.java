package io.amphora.core.node;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.Transactions;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Delivery as the node sees it: dispatch beside every led partition, and the groups. */
public interface DeliveryService {

  /**
   * Makes the listener of one partition that is hosted here. Called on the control loop, before the
   * partition can lead; the listener itself is called on the partition loop.
   */
  LeadershipListener dispatcherFor(TopicInfo topic, int partition, Loop partitionLoop);

  /**
   * Joins a group. Any loop.
   *
   * @param owner loop of the receiver; all listener calls arrive there
   */
  Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener);

  /** The transactions of this node. */
  Transactions transactions();

  /**
   * Applies the transactions that were committed before the start and not applied. All partitions
   * lead; nobody may be served before it is answered. Control loop.
   *
   * @param done called on the control loop, with how many there were
   */
  void recover(Consumer<Reply<Integer>> done);

  /** The topic is gone from the topology: its members are detached. Control loop. */
  void onTopicDeleted(TopicInfo topic);

  /**
   * Deletes a group that has no members. Control loop.
   *
   * @param done called on the control loop; see {@link Broker#deleteGroup}
   */
  void deleteGroup(String name, Consumer<Reply<GroupInfo>> done);

  /** Members of all groups now; answered on {@code owner}. */
  void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done);

  /**
   * Journals what is pending and detaches all members. Control loop.
   *
   * @param done called on the control loop
   */
  void stop(Runnable done);
}
