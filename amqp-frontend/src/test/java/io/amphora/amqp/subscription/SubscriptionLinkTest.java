package io.amphora.amqp.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Durable subscriptions: attached, looked up by name, ended (conventions 4.2). */
class SubscriptionLinkTest {

  private static final String GROUP = "t::client|sub";
  private static final String GLOBAL_GROUP = "t::|sub";

  private final EngineRig rig = new EngineRig();

  @BeforeEach
  void topic() {
    rig.broker.withTopic("t", 1);
    rig.opened();
  }

  private static Object durable(String... capabilities) {
    Symbol[] symbols = Arrays.stream(capabilities).map(Symbol::valueOf).toArray(Symbol[]::new);
    return Wire.list(
        0x28,
        "t",
        Wire.u(2),
        Symbol.valueOf("never"),
        null,
        null,
        null,
        Symbol.valueOf("copy"),
        null,
        null,
        null,
        symbols);
  }

  private static byte[] lookup(int handle, String name, String... desired) {
    Symbol[] symbols = Arrays.stream(desired).map(Symbol::valueOf).toArray(Symbol[]::new);
    return Wire.frame(
        0,
        RawFrame.ATTACH,
        name,
        Wire.u(handle),
        true,
        null,
        null,
        null,
        Wire.list(0x29),
        null,
        null,
        null,
        null,
        null,
        symbols);
  }

  private void subscribed(String name, Object source) {
    assertThat(rig.send(Wire.receiver(0, 0, name, source))).hasSize(1);
  }

  private static List<?> sourceOf(RawFrame attach) {
    assertThat(attach.code()).isEqualTo(RawFrame.ATTACH);
    return (List<?>) ((DescribedType) attach.get(5)).getDescribed();
  }

  private static RawFrame last(List<RawFrame> frames) {
    return frames.get(frames.size() - 1);
  }

  @Test
  void shouldShowTheSubscriptionThatExists() {
    subscribed("sub", durable("topic"));
    rig.send(Wire.detach(0, false));
    List<RawFrame> frames = rig.send(lookup(1, "sub"));
    assertThat(frames).hasSize(1);
    List<?> source = sourceOf(frames.get(0));
    assertThat(source.get(0)).isEqualTo("t");
    assertThat(source.get(1)).isEqualTo(UnsignedInteger.valueOf(2));
    assertThat(source.get(2)).isEqualTo(Symbol.valueOf("never"));
    assertThat(source.get(6)).isEqualTo(Symbol.valueOf("copy"));
    assertThat(source.get(10)).isEqualTo(new Symbol[] {Symbol.valueOf("topic")});
    assertThat(rig.broker.group(GROUP).memberCount()).as("it takes nothing").isZero();
  }

  @Test
  void shouldRefuseAnUnknownName() {
    subscribed("sub", durable("topic"));
    for (String name : List.of("other", "su", "sub2", "client|sub")) {
      List<RawFrame> frames = rig.send(lookup(1, name));
      assertThat(frames.get(0).get(5)).as(name).isNull();
      assertThat(frames.get(1).code()).isEqualTo(RawFrame.DETACH);
      assertThat(frames.get(1).get(1)).isEqualTo(true);
      assertThat(frames.get(1).condition(2)).isEqualTo("amqp:not-found");
      rig.send(Wire.detach(1, true));
    }
  }

  @Test
  void shouldKnowAGlobalOneOnlyWhenItIsAskedFor() {
    subscribed("sub|global", durable("topic", "shared", "global"));
    rig.send(Wire.detach(0, false));
    assertThat(last(rig.send(lookup(1, "sub"))).condition(2)).isEqualTo("amqp:not-found");
    rig.send(Wire.detach(1, true));
    List<RawFrame> found = rig.send(lookup(1, "sub|global", "shared", "global"));
    Symbol[] capabilities = (Symbol[]) sourceOf(found.get(0)).get(10);
    assertThat(capabilities)
        .containsExactly(
            Symbol.valueOf("topic"), Symbol.valueOf("shared"), Symbol.valueOf("global"));
    rig.send(Wire.detach(1, true));
    assertThat(rig.broker.topology().groups()).doesNotContainKey(GLOBAL_GROUP);
  }

  @Test
  void shouldEndTheSubscriptionBeforeTheDetachIsAnswered() {
    subscribed("sub", durable("topic"));
    rig.send(Wire.detach(0, false));
    rig.send(lookup(1, "sub"));
    rig.broker.holdDeletions = true;
    assertThat(rig.send(Wire.detach(1, true))).isEmpty();
    rig.broker.heldDeletions.get(0).run();
    List<RawFrame> frames = rig.read();
    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).code()).isEqualTo(RawFrame.DETACH);
    assertThat(frames.get(0).get(1)).isEqualTo(true);
    assertThat(frames.get(0).get(2)).isNull();
    assertThat(rig.broker.topology().groups()).isEmpty();
    assertThat(last(rig.send(lookup(1, "sub"))).condition(2)).isEqualTo("amqp:not-found");
  }

  @Test
  void shouldSayWhyASubscriptionInUseIsNotEnded() {
    subscribed("sub", durable("topic"));
    rig.send(lookup(1, "sub"));
    List<RawFrame> frames = rig.send(Wire.detach(1, true));
    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).condition(2)).isEqualTo("amqp:resource-locked");
    assertThat(rig.broker.topology().groups()).containsKey(GROUP);
    assertThat(rig.send(Wire.flow(0, 0L, 5, true, false))).as("the consumer goes on").isNotEmpty();
  }

  @Test
  void shouldKeepTheSubscriptionWhenTheLookupIsOnlyDetached() {
    subscribed("sub", durable("topic"));
    rig.send(Wire.detach(0, false));
    rig.send(lookup(1, "sub"));
    assertThat(last(rig.send(Wire.detach(1, false))).code()).isEqualTo(RawFrame.DETACH);
    assertThat(rig.broker.topology().groups()).containsKey(GROUP);
  }

  @Test
  void shouldAnswerADrainOfALookup() {
    subscribed("sub", durable("topic"));
    rig.send(lookup(1, "sub"));
    RawFrame flow = last(rig.send(Wire.flow(1, 0L, 5, true, false)));
    assertThat(flow.code()).isEqualTo(RawFrame.FLOW);
    assertThat(flow.uint(6)).isZero();
  }

  @Test
  void shouldSurviveASessionThatEndsWhileTheDeletionRuns() {
    subscribed("sub", durable("topic"));
    rig.send(Wire.detach(0, false));
    rig.send(lookup(1, "sub"));
    rig.broker.holdDeletions = true;
    rig.send(Wire.detach(1, true));
    rig.send(Wire.end(0), Wire.begin(0));
    rig.broker.heldDeletions.get(0).run();
    assertThat(rig.read()).isEmpty();
    assertThat(rig.send(Wire.receiver(0, 1, "sub", durable("topic"))).get(0).code())
        .isEqualTo(RawFrame.ATTACH);
  }

  /** The terminus goes with the link (part 2, section 2.6.6). */
  @Test
  void shouldEndTheSubscriptionOfAConsumerThatIsClosedForGood() {
    subscribed("sub", durable("topic"));
    rig.send(Wire.detach(0, true));
    assertThat(rig.broker.topology().groups()).isEmpty();
  }

  @Test
  void shouldKeepASharedOneThatOthersUse() {
    subscribed("sub|global", durable("topic", "shared", "global"));
    rig.send(Wire.receiver(0, 1, "sub|global2", durable("topic", "shared", "global")));
    rig.send(Wire.detach(0, true));
    assertThat(rig.broker.topology().groups()).containsKey(GLOBAL_GROUP);
    rig.send(Wire.detach(1, true));
    assertThat(rig.broker.topology().groups()).isEmpty();
  }

  @Test
  void shouldKeepTheSubscriptionWhenTheConnectionGoes() {
    subscribed("sub", durable("topic"));
    rig.send(Wire.close());
    assertThat(rig.broker.topology().groups()).containsKey(GROUP);
    assertThat(rig.broker.group(GROUP).memberCount()).isZero();
  }

  /** Who has our close may rely on it: the links are gone before. */
  @Test
  void shouldLeaveItsGroupsBeforeTheCloseIsAnswered() {
    subscribed("sub", durable("topic"));
    rig.writable = true;
    rig.engine.input(java.nio.ByteBuffer.wrap(Wire.close()), rig.loop.nowNanos());
    rig.loop.runAll();
    assertThat(rig.take()).as("nothing is written yet").isEmpty();
    assertThat(rig.broker.group(GROUP).memberCount()).isZero();
  }

  @Test
  void shouldKeepVolatileOnesOfTheNameApart() {
    subscribed("sub|volatile1", Wire.source("t", "topic", "shared"));
    assertThat(rig.broker.requests.get(0).group()).isEqualTo("t::client|sub|");
    assertThat(last(rig.send(lookup(1, "sub"))).condition(2)).isEqualTo("amqp:not-found");
  }

  @Test
  void shouldRefuseASubscriptionWithoutAName() {
    List<RawFrame> frames = rig.send(Wire.receiver(0, 0, "|1", durable("topic")));
    assertThat(last(frames).condition(2)).isEqualTo("amqp:invalid-field");
  }
}
