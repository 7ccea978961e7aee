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
import io.amphora.core.transaction.Transactions;
import io.amphora.wal.Spool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The broker as the AMQP front end sees it: a topic that is created on attach has nobody who could
 * choose its settings, so it gets the configured defaults; and no topic takes larger messages than
 * this broker. Used by all connection loops: what is kept is immutable, and two loops that miss it
 * at once make the same.
 */
final class WithTopicDefaults implements Broker {

  private final Broker broker;
  private final TopicConfig defaults;
  private final long maxMessageBytes;
  private volatile Optional<Topology> clipped = Optional.empty();

  /**
   * @param broker does the work
   * @param defaults settings of a topic that is created without any
   * @param maxMessageBytes largest message whatever a topic allows, bytes
   */
  WithTopicDefaults(Broker broker, TopicConfig defaults, long maxMessageBytes) {
    this.broker = broker;
    this.defaults = defaults;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public void createTopic(
      String name, TopicConfig config, Loop owner, Consumer<Reply<TopicInfo>> done) {
    TopicConfig chosen = config.equals(TopicConfig.DEFAULT) ? defaults : config;
    broker.createTopic(name, chosen, owner, reply -> done.accept(clip(reply)));
  }

  @Override
  public Transactions transactions() {
    return broker.transactions();
  }

  /** Made anew only when the topology has changed: producers look here for every message. */
  @Override
  public void createTemporaryTopic(Loop owner, Consumer<Reply<TopicInfo>> done) {
    broker.createTemporaryTopic(owner, done);
  }

  @Override
  public Topology topology() {
    Topology now = broker.topology();
    Optional<Topology> kept =
        clipped.filter(known -> known.version() == now.version() && known.term() == now.term());
    if (kept.isPresent()) {
      return kept.get();
    }
    Topology made = clip(now);
    clipped = Optional.of(made);
    return made;
  }

  private Topology clip(Topology topology) {
    Map<String, TopicInfo> topics = new LinkedHashMap<>();
    topology.topics().forEach((name, topic) -> topics.put(name, clip(topic)));
    return new Topology(
        topology.clusterId(),
        topology.term(),
        topology.version(),
        topology.voters(),
        Map.copyOf(topics),
        topology.users(),
        topology.groups(),
        topology.deleted());
  }

  private Reply<TopicInfo> clip(Reply<TopicInfo> reply) {
    return reply instanceof Reply.Ok<TopicInfo> ok ? new Reply.Ok<>(clip(ok.value())) : reply;
  }

  private TopicInfo clip(TopicInfo topic) {
    TopicConfig config = topic.config();
    if (config.maxMessageBytes() <= maxMessageBytes) {
      return topic;
    }
    TopicConfig smaller = config.withMaxMessageBytes(maxMessageBytes);
    return new TopicInfo(
        topic.name(), topic.id(), smaller, topic.createdMillis(), topic.partitions());
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
  public Reply<Spool> openSpool(Loop owner) {
    return broker.openSpool(owner);
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    return broker.subscribe(request, owner, listener);
  }

  @Override
  public void deleteGroup(String name, Loop owner, Consumer<Reply<GroupInfo>> done) {
    broker.deleteGroup(name, owner, done);
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
