package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.sim.SimLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A receiver that writes down what it is told and checks that credit is never exceeded. */
final class TestMember implements MemberListener {
  final SimLoop loop;
  final List<Delivery> deliveries = new ArrayList<>();
  final List<Settlement> durable = new ArrayList<>();
  final List<Integer> drained = new ArrayList<>();
  Member member;
  Optional<BrokerException> detached = Optional.empty();
  int attached;
  int credit;

  TestMember(SimLoop loop) {
    this.loop = loop;
  }

  void credit(int number) {
    loop.execute(
        () -> {
          credit = number;
          member.credit(number);
        });
  }

  void drain() {
    loop.execute(() -> member.drain());
  }

  void settle(Outcome outcome, Delivery... settled) {
    settle(outcome, List.of(settled));
  }

  void settle(Outcome outcome, List<Delivery> settled) {
    List<Settlement> words =
        settled.stream()
            .map(d -> new Settlement(d.partition(), d.record().offset(), outcome))
            .toList();
    loop.execute(() -> member.settle(words));
  }

  /** Settles, and notes what is said to be durable. */
  void settleDurably(Outcome outcome, List<Delivery> settled) {
    List<Settlement> words =
        settled.stream()
            .map(d -> new Settlement(d.partition(), d.record().offset(), outcome))
            .toList();
    loop.execute(() -> member.settle(words, () -> durable.addAll(words)));
  }

  void accept(List<Delivery> settled) {
    settle(Outcome.ACCEPTED, settled);
  }

  void close() {
    loop.execute(() -> member.close());
  }

  List<Long> offsets() {
    return deliveries.stream().map(d -> d.record().offset()).toList();
  }

  /** Takes what has been delivered so far. */
  List<Delivery> take() {
    List<Delivery> taken = List.copyOf(deliveries);
    deliveries.clear();
    return taken;
  }

  Delivery last() {
    return deliveries.get(deliveries.size() - 1);
  }

  @Override
  public void onAttached() {
    attached++;
  }

  @Override
  public void onDeliveries(List<Delivery> batch) {
    assertThat(batch).isNotEmpty();
    assertThat(batch.size()).as("deliveries within credit").isLessThanOrEqualTo(credit);
    credit -= batch.size();
    deliveries.addAll(batch);
  }

  @Override
  public void onDrained(int unused) {
    assertThat(unused).as("unused credit").isEqualTo(credit);
    credit = 0;
    drained.add(unused);
  }

  @Override
  public void onDetached(BrokerException reason) {
    detached = Optional.of(reason);
  }
}
