package io.amphora.amqp.node;

import io.amphora.core.BrokerException;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberId;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo.Mode;
import io.amphora.core.topology.TopicInfo;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Empties a queue as a member of its group that accepts everything which waited when it came; what
 * others hold stays theirs. It reads what it drops. Owned by the connection loop.
 */
final class Purge implements MemberListener {

  private static final int ROUND = 500;

  private final Caller caller;
  private final long most;
  private final Consumer<Reply<Long>> done;
  private @Nullable Member member;
  private long taken;
  private long takenBefore;
  private int undurable;
  private boolean drained;
  private boolean over;

  private Purge(Caller caller, long most, Consumer<Reply<Long>> done) {
    this.caller = caller;
    this.most = most;
    this.done = done;
  }

  /**
   * Starts to empty the queue of a topic.
   *
   * @param most messages that are dropped at most
   * @param done gets the number of dropped ones when that outlives a crash
   */
  static void start(Caller caller, TopicInfo topic, long most, Consumer<Reply<Long>> done) {
    if (most == 0) {
      done.accept(Reply.ok(0L));
      return;
    }
    Purge purge = new Purge(caller, most, done);
    MemberId id = new MemberId("amphora", "purge", System.identityHashCode(purge));
    SubscribeRequest request =
        new SubscribeRequest(
            topic.name(),
            SubscribeRequest.queueOf(topic.name()),
            Mode.SHARED,
            id,
            StartPosition.EARLIEST,
            SubscribeRequest.Options.DEFAULT);
    purge.member = caller.broker().subscribe(request, caller.loop(), purge);
  }

  private Member member() {
    if (member == null) {
      throw new IllegalStateException("not subscribed");
    }
    return member;
  }

  @Override
  public void onAttached() {
    round();
  }

  private void round() {
    takenBefore = taken;
    member().credit((int) Math.min(ROUND, most - taken));
    member().drain();
  }

  @Override
  public void onDeliveries(List<Delivery> deliveries) {
    taken += deliveries.size();
    undurable++;
    List<Settlement> all =
        deliveries.stream()
            .map(one -> new Settlement(one.partition(), one.record().offset(), Outcome.ACCEPTED))
            .toList();
    member()
        .settle(
            all,
            () -> {
              undurable--;
              finish();
            });
  }

  /** Credit is shared out to partitions: only a round that brings nothing says that it is empty. */
  @Override
  public void onDrained(int unused) {
    drained = taken >= most || taken == takenBefore;
    if (drained) {
      finish();
    } else {
      round();
    }
  }

  private void finish() {
    if (drained && undurable == 0 && !over) {
      over = true;
      member().close();
      caller.<Long>guarded(done).accept(Reply.ok(taken));
    }
  }

  @Override
  public void onDetached(BrokerException reason) {
    if (!over) {
      over = true;
      caller.<Long>guarded(done).accept(new Reply.Failed<>(reason));
    }
  }
}
