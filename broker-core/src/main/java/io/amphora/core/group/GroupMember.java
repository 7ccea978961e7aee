package io.amphora.core.group;

import io.amphora.core.BrokerException;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;

/** A member as its group sees it. Used on the control loop only; nothing blocks. */
public interface GroupMember {
  SubscribeRequest request();

  /** It is served from all partitions of the topic from now on. */
  void assign(TopicInfo topic, GroupInfo group);

  /** It waits until another member leaves. */
  void standBy();

  /** Its subscription ends; {@link GroupRegistry#leave} will follow. */
  void refuse(BrokerException reason);

  /**
   * It is served no more.
   *
   * @param done called on the control loop when every partition has taken back what it held
   */
  void withdraw(Runnable done);
}
