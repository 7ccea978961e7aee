package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Delivers nothing; remembers what it is told about leadership. */
final class QuietDelivery implements DeliveryService {

  final Map<String, CommittedLog> leading = new HashMap<>();
  final List<String> events = new ArrayList<>();

  @Override
  public LeadershipListener dispatcherFor(TopicInfo topic, int partition, Loop partitionLoop) {
    String name = topic.name() + "-" + partition;
    return new LeadershipListener() {
      @Override
      public void onLeading(CommittedLog log) {
        events.add("leading " + name + " " + log.epoch());
        leading.put(name, log);
      }

      @Override
      public void onProgress() {
        events.add("progress " + name + " " + leading.get(name).highWatermark());
      }

      @Override
      public void onStopped(BrokerException reason) {
        events.add("stopped " + name + " " + reason.code());
        leading.remove(name);
      }
    };
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    throw new UnsupportedOperationException("no delivery in this test");
  }

  @Override
  public Transactions transactions() {
    throw new UnsupportedOperationException("no transactions in this test");
  }

  @Override
  public void recover(Consumer<Reply<Integer>> done) {
    done.accept(Reply.ok(0));
  }

  @Override
  public void onTopicDeleted(TopicInfo topic) {
    events.add("deleted " + topic.name());
  }

  @Override
  public void deleteGroup(String name, Consumer<Reply<GroupInfo>> done) {
    throw new UnsupportedOperationException("no delivery in this test");
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    owner.execute(() -> done.accept(Reply.ok(Map.of())));
  }

  @Override
  public void stop(Runnable done) {
    events.add("stop");
    done.run();
  }
}
