package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receivers with a position of their own, and browsers. */
class ReaderLinkTest {

  private static final Symbol SPEC = Symbol.valueOf("rabbitmq:stream-offset-spec");
  private static final Symbol KEY = Symbol.valueOf("my-key");

  private final EngineRig rig = new EngineRig();
  private long nextId;

  @BeforeEach
  void open() {
    rig.broker.withTopic("t", 3);
    rig.opened();
  }

  private static Object spec(Object value) {
    return Map.of(KEY, new Wire.Described(SPEC, value));
  }

  private static Object selector(Object descriptor, String text) {
    return Map.of(KEY, new Wire.Described(descriptor, text));
  }

  private static Object browse(Integer durable) {
    List<Object> fields = new ArrayList<>(Arrays.asList(new Object[11]));
    fields.set(0, "t");
    fields.set(1, durable == null ? null : Wire.u(durable));
    fields.set(6, Symbol.valueOf("copy"));
    return new Wire.Described(UnsignedLong.valueOf(0x28), fields);
  }

  private SubscribeRequest asked(Object source) {
    rig.send(
        Wire.receiver(0, rig.broker.requests.size(), "r" + rig.broker.requests.size(), source));
    return rig.broker.requests.get(rig.broker.requests.size() - 1);
  }

  private void publish(int partition, int count) {
    rig.send(Wire.sender(0, 20, "out", Wire.target("t/Partitions/" + partition)));
    for (int i = 0; i < count; i++) {
      rig.send(Wire.transfer(20, nextId, Wire.message("m" + nextId)));
      nextId++;
    }
    rig.send(Wire.detach(20, true));
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  private static Map<?, ?> echoed(List<RawFrame> frames) {
    RawFrame attach = of(frames, RawFrame.ATTACH).get(0);
    return (Map<?, ?>) ((List<?>) ((DescribedType) attach.get(5)).getDescribed()).get(7);
  }

  @Test
  void shouldMakeAReaderOfAStartWithoutAGroup() {
    for (String capability : List.of("topic", "queue", "other")) {
      SubscribeRequest request = asked(Wire.source("t", spec(UnsignedLong.valueOf(5)), capability));
      assertThat(request.group()).isEmpty();
      assertThat(request.start()).isEqualTo(new StartPosition.AtOffset(5));
      assertThat(request.options().only()).isEmpty();
    }
  }

  @Test
  void shouldUseTheStartOfAGroupForTheGroup() {
    SubscribeRequest request = asked(Wire.source("t::g", spec("next")));
    assertThat(request.group()).isEqualTo("g");
    assertThat(request.mode()).isEqualTo(Mode.ORDERED);
    assertThat(request.start()).isEqualTo(StartPosition.LATEST);
    assertThat(asked(Wire.source("t/Subscriptions/s", spec("last"))).start())
        .isEqualTo(StartPosition.LAST);
  }

  @Test
  void shouldReadOnePartition() {
    SubscribeRequest plain = asked(Wire.source("t/Partitions/2"));
    assertThat(plain.group()).isEmpty();
    assertThat(plain.start()).isEqualTo(StartPosition.LATEST);
    assertThat(plain.options().only()).hasValue(2);
    Object filter =
        selector(UnsignedLong.valueOf(0x137000000AL), "amqp.annotation.x-opt-offset > -1");
    SubscribeRequest hubs = asked(Wire.source("/t/consumergroups/$Default/partitions/1", filter));
    assertThat(hubs.group()).isEmpty();
    assertThat(hubs.start()).isEqualTo(StartPosition.EARLIEST);
    assertThat(hubs.options().only()).hasValue(1);
  }

  @Test
  void shouldRefuseAPartitionThatDoesNotExistAndGroupsAsTargets() {
    assertThat(refusal(Wire.receiver(0, 0, "r", Wire.source("t/Partitions/3"))))
        .isEqualTo("amqp:not-found");
    assertThat(refusal(Wire.sender(0, 1, "s", Wire.target("t/ConsumerGroups/g/Partitions/0"))))
        .isEqualTo("amqp:invalid-field");
    Object malformed =
        selector(Symbol.valueOf("apache.org:selector-filter:string"), "amqp.annotation.x");
    assertThat(refusal(Wire.receiver(0, 2, "f", Wire.source("t", malformed))))
        .isEqualTo("amqp:invalid-field");
  }

  private String refusal(byte[] attach) {
    return of(rig.send(attach), RawFrame.DETACH).get(0).condition(2);
  }

  @Test
  void shouldEchoTheFiltersInForceUnderTheKeysOfTheClient() {
    Map<Symbol, Object> filters =
        Map.of(
            KEY,
            new Wire.Described(SPEC, UnsignedLong.valueOf(0)),
            Symbol.valueOf("jms-selector"),
            new Wire.Described(UnsignedLong.valueOf(0x468C00000004L), "a = 1"));
    Map<?, ?> echo = echoed(rig.send(Wire.receiver(0, 0, "r", Wire.source("t", filters))));
    assertThat(echo).hasSize(1);
    DescribedType value = (DescribedType) echo.get(KEY);
    assertThat(value.getDescriptor()).isEqualTo(SPEC);
    assertThat(value.getDescribed()).isEqualTo(UnsignedLong.valueOf(0));
    Object code = UnsignedLong.valueOf(0x137000000AL);
    String text = "amqp.annotation.x-opt-enqueued-time >= 1";
    Map<?, ?> other =
        echoed(rig.send(Wire.receiver(0, 1, "q", Wire.source("t", selector(code, text)))));
    assertThat(((DescribedType) other.get(KEY)).getDescriptor()).isEqualTo(code);
    assertThat(((DescribedType) other.get(KEY)).getDescribed()).isEqualTo(text);
  }

  @Test
  void shouldDeliverToAReaderFromItsOffsetOfAllPartitions() {
    publish(0, 3);
    publish(1, 2);
    rig.send(Wire.receiver(0, 0, "r", Wire.source("t", spec(1L))));
    List<RawFrame> sent = of(rig.send(Wire.flow(0, 0L, 10, false, false)), RawFrame.TRANSFER);
    assertThat(sent).hasSize(3);
  }

  @Test
  void shouldGoOnWhateverAReaderSays() {
    publish(1, 3);
    rig.send(Wire.receiver(0, 0, "r", Wire.source("t/Partitions/1", spec("first"))));
    assertThat(of(rig.send(Wire.flow(0, 0L, 3, false, false)), RawFrame.TRANSFER)).hasSize(3);
    rig.send(Wire.disposition(true, 0, 0, true, Wire.list(0x26)));
    rig.send(Wire.disposition(true, 1, 1, true, Wire.list(0x25)));
    List<RawFrame> answer = rig.send(Wire.disposition(true, 2, 2, false, Wire.list(0x26)));
    RawFrame settled = of(answer, RawFrame.DISPOSITION).get(0);
    assertThat(settled.get(3)).isEqualTo(true);
    assertThat(settled.described(4)).isEqualTo(0x26);
    assertThat(rig.broker.group("ephemeral-1").settled)
        .hasSize(3)
        .extracting(Settlement::outcome)
        .containsOnly(Outcome.ACCEPTED);
    assertThat(of(rig.send(Wire.flow(0, 3L, 10, false, false)), RawFrame.TRANSFER)).isEmpty();
  }

  @Test
  void shouldBrowseSettledFromWhereTheQueueIs() {
    SubscribeRequest request = asked(browse(null));
    assertThat(request.group()).isEmpty();
    assertThat(request.start()).isEqualTo(new StartPosition.AsGroup("t::$queue"));
    assertThat(request.options().atMostOnce()).isTrue();
    publish(0, 2);
    List<RawFrame> frames = rig.send(Wire.flow(0, 0L, 10, true, false));
    List<RawFrame> sent = of(frames, RawFrame.TRANSFER);
    assertThat(sent).hasSize(2).allMatch(f -> Boolean.TRUE.equals(f.get(4)));
    RawFrame drained = of(frames, RawFrame.FLOW).get(0);
    assertThat(drained.uint(6)).isZero();
    assertThat(drained.get(8)).isEqualTo(true);
    assertThat(rig.broker.group("ephemeral-1").inFlight()).isZero();
  }

  @Test
  void shouldTakeADurableCopyForASubscription() {
    SubscribeRequest request = asked(browse(2));
    assertThat(request.group()).isEqualTo("t::client|r0");
    assertThat(request.start()).isEqualTo(StartPosition.LATEST);
  }
}
