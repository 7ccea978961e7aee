package io.amphora.boot;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.node.Broker;
import io.amphora.core.node.BrokerStatus;
import io.amphora.core.node.MemberView;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.UserCredential;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The broker as the AMQP front end sees it: a topic that is created on attach has nobody who could
 * choose its settings, so it gets the configured defaults. Immutable.
 *
 * @param broker does the work
 * @param defaults settings of a topic that is created without any
 */
record WithTopicDefaults(Broker broker, TopicConfig defaults) implements Broker {

  @Override
  public void createTopic(
      String name, TopicConfig config, Loop owner, Consumer<Reply<TopicInfo>> done) {
    TopicConfig chosen = config.equals(TopicConfig.DEFAULT) ? defaults : config;
    broker.createTopic(name, chosen, owner, done);
  }

  @Override
  public void createTemporaryTopic(Loop owner, Consumer<Reply<TopicInfo>> done) {
    broker.createTemporaryTopic(owner, done);
  }

  @Override
  public Topology topology() {
    return broker.topology();
  }

  @Override
  public BrokerStatus status() {
    return broker.status();
  }

  @Override
  public void deleteTopic(String name, Loop owner, Consumer<Reply<TopicInfo>> done) {
    broker.deleteTopic(name, owner, done);
  }

  @Override
  public Optional<PartitionRef> partition(TopicInfo topic, int partition) {
    return broker.partition(topic, partition);
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    return broker.subscribe(request, owner, listener);
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    broker.groupMembers(owner, done);
  }

  @Override
  public void positions(Loop owner, Consumer<Reply<Map<PositionKey, Position>>> done) {
    broker.positions(owner, done);
  }

  @Override
  public void putUser(UserCredential user, Loop owner, Consumer<Reply<UserCredential>> done) {
    broker.putUser(user, owner, done);
  }

  @Override
  public void deleteUser(String name, Loop owner, Consumer<Reply<String>> done) {
    broker.deleteUser(name, owner, done);
  }
}
