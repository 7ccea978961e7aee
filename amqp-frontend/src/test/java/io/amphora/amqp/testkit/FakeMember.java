package io.amphora.amqp.testkit;

import io.amphora.core.BrokerException;
import io.amphora.core.Loop;
import io.amphora.core.delivery.Claim;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.SubscribeRequest;
import java.util.List;
import java.util.function.Consumer;

/** A member of a fake group; its fields live on the broker's loop. */
public final class FakeMember implements Member {

  private final FakeBroker broker;
  final SubscribeRequest request;
  private final Loop owner;
  final MemberListener listener;
  FakeGroup group;
  int credit;

  FakeMember(FakeBroker broker, SubscribeRequest request, Loop owner, MemberListener listener) {
    this.broker = broker;
    this.request = request;
    this.owner = owner;
    this.listener = listener;
  }

  void tell(Runnable call) {
    owner.execute(call);
  }

  @Override
  public void credit(int value) {
    broker
        .home()
        .execute(
            () -> {
              credit = value;
              group.dispatch();
            });
  }

  @Override
  public void drain() {
    broker
        .home()
        .execute(
            () -> {
              group.dispatch();
              if (group.drainsHang) {
                return;
              }
              int unused = credit;
              credit = 0;
              tell(() -> listener.onDrained(unused));
            });
  }

  @Override
  public void settle(List<Settlement> settlements) {
    broker.home().execute(() -> group.settle(settlements));
  }

  @Override
  public void settle(List<Settlement> settlements, Runnable durable) {
    broker
        .home()
        .execute(
            () -> {
              group.settle(settlements);
              group.onDurable(() -> tell(durable));
            });
  }

  @Override
  public void claim(List<Settlement> settlements, boolean settled, Consumer<Claim> done) {
    broker
        .home()
        .execute(
            () -> {
              Claim claim = group.claim(this, settlements, settled);
              tell(() -> done.accept(claim));
            });
  }

  @Override
  public void close() {
    broker.home().execute(() -> group.leave(this));
  }

  public void detach(BrokerException reason) {
    tell(() -> listener.onDetached(reason));
  }
}
