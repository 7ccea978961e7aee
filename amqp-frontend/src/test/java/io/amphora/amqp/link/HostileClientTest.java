package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakeGroup;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;

/** Clients that vanish, loop, hurry or send odd but legal frames. */
class HostileClientTest {

  private static final byte[] PLAIN = "\0user\0pw".getBytes(StandardCharsets.UTF_8);

  private final EngineRig rig = new EngineRig();

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  @Test
  void shouldNotServeAClientThatLeftDuringThePasswordCheck() {
    rig.broker.withTopic("t", 1);
    rig.sendRaw(
        Wire.join(
            Wire.SASL,
            Wire.saslInit("PLAIN", PLAIN),
            Wire.AMQP,
            Wire.open(),
            Wire.begin(0),
            Wire.receiver(0, 0, "in", Wire.source("t")),
            Wire.flow(0, 0L, 10, false, false)));
    rig.engine.lost();
    rig.pendingCheck.accept(CredentialCheck.Verdict.OK);
    rig.loop.runAll();
    assertThat(rig.broker.requests).isEmpty();
    assertThat(rig.linkCount).isZero();
  }

  @Test
  void shouldNotServeALinkWhoseSessionEndedWhileItsTopicWasCreated() {
    rig.opened();
    List<RawFrame> frames =
        rig.send(
            Wire.begin(1),
            Wire.attach(
                1, 0, "in", true, new Object[] {null, null, Wire.source("new"), null, null}),
            flow(1, 100, 0, 10),
            Wire.attach(
                1, 1, "out", false, new Object[] {null, null, null, Wire.target("n2"), Wire.u(0)}),
            Wire.end(1));
    assertThat(of(frames, RawFrame.END)).hasSize(1);
    assertThat(of(frames, RawFrame.CLOSE)).isEmpty();
    assertThat(rig.broker.requests).isEmpty();
    assertThat(rig.linkCount).isZero();
  }

  @Test
  void shouldForgetRefusedLinks() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 100; i++) {
      rig.send(Wire.receiver(0, 0, "in" + i, Wire.source("a::b::c")));
      rig.send(Wire.detach(0, true));
    }
    assertThat(rig.linkCount).isZero();
  }

  @Test
  void shouldForgetLinksOfAttachAndDetachLoops() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 3000; i++) {
      rig.send(
          Wire.receiver(0, 0, "in", Wire.source("t")),
          Wire.sender(0, 1, "out", Wire.target("t")),
          Wire.detach(0, true),
          Wire.detach(1, i % 2 == 0));
    }
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).memberCount()).isZero();
    assertThat(rig.loop.timers()).as("timers of links that are gone").isLessThan(10);
  }

  @Test
  void shouldForgetSessionsOfBeginAndEndLoops() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 1000; i++) {
      rig.send(
          Wire.begin(1),
          Wire.attach(1, 0, "in", true, new Object[] {null, null, Wire.source("t"), null, null}),
          Wire.end(1));
    }
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).memberCount()).isZero();
  }

  @Test
  void shouldTakeTheLargestCreditThereIs() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    rig.send(Wire.flow(0, 0L, 0xFFFFFFFFL, false, false));
    List<RawFrame> frames = rig.send(Wire.transfer(9, 0L, Wire.message("m")));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
  }

  @Test
  void shouldTakeTransfersThatComeWithTheAttach() {
    rig.opened();
    List<RawFrame> frames =
        rig.send(
            Wire.sender(0, 9, "out", Wire.target("fresh")),
            Wire.transfer(9, 0L, Wire.message("a")),
            Wire.transfer(9, 1L, Wire.message("b")));
    assertThat(of(frames, RawFrame.ATTACH)).hasSize(1);
    RawFrame settled = of(frames, RawFrame.DISPOSITION).get(0);
    assertThat(settled.uint(1)).isZero();
    assertThat(settled.uint(2)).isEqualTo(1);
    assertThat(rig.broker.partition("fresh", 0).records()).hasSize(2);
  }

  @Test
  void shouldTakeEmptyFramesOfAMessage() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(9, 0L, new byte[0], false, true),
            Wire.transfer(9, null, Wire.message("a"), false, true),
            Wire.transfer(9, null, new byte[0], false, false),
            Wire.transfer(9, 1L, new byte[0], false, false),
            Wire.transfer(9, 2L, Wire.message("b"), false, false));
    assertThat(rig.broker.partition("t", 0).records()).hasSize(2);
    assertThat(of(frames, RawFrame.CLOSE)).isEmpty();
    assertThat(of(frames, RawFrame.DISPOSITION)).isNotEmpty();
  }

  @Test
  void shouldIgnoreDispositionsOverHolesAndOtherLinks() {
    rig.broker.withTopic("t", 1).withTopic("u", 1);
    rig.opened();
    rig.send(Wire.sender(0, 8, "o1", Wire.target("t")), Wire.sender(0, 9, "o2", Wire.target("u")));
    rig.send(
        Wire.receiver(0, 0, "in", Wire.source("t")), Wire.receiver(0, 1, "in2", Wire.source("u")));
    rig.send(Wire.flow(0, 0L, 10, false, false), Wire.flow(1, 0L, 10, false, false));
    rig.send(Wire.transfer(8, 0L, Wire.message("a")), Wire.transfer(9, 1L, Wire.message("b")));
    rig.send(Wire.transfer(8, 2L, Wire.message("c")));
    rig.send(Wire.disposition(true, 1, 1, true, Wire.accepted()));
    List<RawFrame> frames = rig.send(Wire.disposition(true, 0, 0x7FFFFFFF, true, Wire.accepted()));
    assertThat(frames).isEmpty();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).settled).hasSize(2);
    assertThat(rig.broker.group(SubscribeRequest.queueOf("u")).settled).hasSize(1);
    assertThat(rig.send(Wire.disposition(true, 0, 5, true, null))).isEmpty();
  }

  @Test
  void shouldServeTheNextLinkAfterAHalfSentMessage() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.begin(1, 0, 2));
    rig.send(
        Wire.attach(1, 0, "in", true, new Object[] {null, null, Wire.source("t"), null, null}));
    rig.send(flow(1, 2, 0, 10));
    List<RawFrame> first =
        rig.send(Wire.transfer(9, 0L, Wire.data(new byte[60_000])), big(1), big(2));
    assertThat(of(first, RawFrame.TRANSFER)).hasSize(2);
    rig.send(Wire.frame(1, RawFrame.DETACH, Wire.u(0), true));
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).inFlight()).isZero();
    rig.send(
        Wire.attach(1, 0, "in", true, new Object[] {null, null, Wire.source("t"), null, null}));
    List<RawFrame> again = rig.send(flow(3, 100, 0, 10));
    List<RawFrame> transfers = of(again, RawFrame.TRANSFER);
    assertThat(transfers.stream().filter(f -> Boolean.FALSE.equals(f.get(5)))).hasSize(3);
    assertThat(transfers.stream().mapToInt(f -> f.payload().length).sum()).isGreaterThan(180_000);
    assertThat(of(again, RawFrame.CLOSE)).isEmpty();
  }

  /** Flow of the first link of session 1. */
  private static byte[] flow(long next, int window, long count, int credit) {
    return Wire.frame(
        1,
        RawFrame.FLOW,
        Wire.u(next),
        Wire.u(window),
        Wire.u(0),
        Wire.u(2048),
        Wire.u(0),
        Wire.u(count),
        Wire.u(credit));
  }

  private static byte[] big(long id) {
    return Wire.transfer(9, id, Wire.data(new byte[60_000]));
  }

  @Test
  void shouldRejectAnnotationsWithKeysThatAreNoSymbols() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    byte[] stringKey = annotations(0x72, Map.of("x-opt-a", 1));
    byte[] numberKey = annotations(0x72, Map.of(UnsignedLong.valueOf(1), 1));
    byte[] delivery = annotations(0x71, Map.of("x-opt-a", 1));
    byte[] good = annotations(0x72, Map.of(Symbol.valueOf("x-opt-a"), 1));
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(9, 0L, Wire.join(stringKey, Wire.message("a"))),
            Wire.transfer(9, 1L, Wire.join(numberKey, Wire.message("b"))),
            Wire.transfer(9, 2L, Wire.join(delivery, Wire.message("c"))),
            Wire.transfer(9, 3L, Wire.join(good, Wire.message("d"))));
    assertThat(rig.broker.partition("t", 0).records()).hasSize(1);
    List<RawFrame> answers = of(frames, RawFrame.DISPOSITION);
    assertThat(answers.stream().filter(f -> f.described(4) == 0x25)).isNotEmpty();
    assertThat(answers.get(answers.size() - 1).described(4)).isEqualTo(0x24);
  }

  /** Nobody can be told: the figure is all that is left of them. */
  @Test
  void shouldCountSettledMessagesThatItDrops() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    byte[] malformed = {0, 0x53, 0x75, (byte) 0xa0, 9};
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(9, 0L, malformed, true, false),
            Wire.transfer(9, 1L, Wire.message("good"), true, false),
            Wire.transfer(9, 2L, malformed, false, false));
    assertThat(rig.dropped).isEqualTo(1);
    assertThat(rig.broker.partition("t", 0).records()).hasSize(1);
    assertThat(of(frames, RawFrame.DISPOSITION).get(0).uint(1)).isEqualTo(2);
  }

  @Test
  void shouldKeepAPartitionKeyAnnotationOfAnotherType() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")), Wire.flow(0, 0L, 10, false, false));
    byte[] key =
        Symbol.valueOf("x-opt-partition-key").toString().getBytes(StandardCharsets.US_ASCII);
    byte[] odd = annotations(0x72, Map.of(Symbol.valueOf("x-opt-partition-key"), 7));
    List<RawFrame> frames = rig.send(Wire.transfer(9, 0L, Wire.join(odd, Wire.message("a"))));
    String text =
        new String(of(frames, RawFrame.TRANSFER).get(0).payload(), StandardCharsets.ISO_8859_1);
    assertThat(text).contains(new String(key, StandardCharsets.US_ASCII));
  }

  private static byte[] annotations(int code, Map<?, ?> map) {
    return Wire.encode(new Wire.Described(UnsignedLong.valueOf(code), map));
  }

  @Test
  void shouldBoundWhatItHoldsForAClientThatDoesNotRead() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.begin(1, 0, 0));
    rig.send(
        Wire.attach(1, 0, "in", true, new Object[] {null, null, Wire.source("t"), null, null}));
    rig.send(flow(1, 0, 0, 1000));
    for (long i = 0; i < 300; i++) {
      rig.send(big(i));
    }
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).inFlight())
        .as("messages of 60 kB")
        .isLessThan(150);
    List<RawFrame> all = new ArrayList<>();
    int settled = 0;
    for (int round = 0; round < 100 && all.size() < 300; round++) {
      all.addAll(of(rig.send(flow(1 + all.size(), 50, all.size(), 1000)), RawFrame.TRANSFER));
      rig.send(
          Wire.frame(
              1,
              RawFrame.DISPOSITION,
              true,
              Wire.u(settled),
              Wire.u(all.size() - 1),
              true,
              Wire.accepted()));
      settled = all.size();
    }
    assertThat(all).hasSize(300);
  }

  @Test
  void shouldBoundUnfinishedMessagesOverAllLinks() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    byte[] part = new byte[60_000];
    int attached = 0;
    for (int handle = 0; handle < 60; handle++) {
      rig.send(Wire.sender(0, handle, "out" + handle, Wire.target("t")));
      boolean refused = false;
      for (int i = 0; i < 70 && !refused; i++) {
        List<RawFrame> frames =
            rig.send(Wire.transfer(handle, i == 0 ? (long) handle : null, part, false, true));
        refused = !of(frames, RawFrame.DETACH).isEmpty();
      }
      attached += refused ? 0 : 1;
    }
    assertThat(attached).as("arrays of 7.68 MB within 128 MiB").isBetween(15, 20);
    assertThat(of(rig.send(Wire.end(0)), RawFrame.END)).hasSize(1);
  }

  @Test
  void shouldShareTheBoundForStalledLinks() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.begin(1, 0, 0));
    for (int handle = 0; handle < 20; handle++) {
      rig.send(
          Wire.attach(
              1,
              handle,
              "in" + handle,
              true,
              new Object[] {null, null, Wire.source("t", "topic"), null, null}));
      rig.send(
          Wire.frame(
              1,
              RawFrame.FLOW,
              Wire.u(1),
              Wire.u(0),
              Wire.u(0),
              Wire.u(2048),
              Wire.u(handle),
              Wire.u(0),
              Wire.u(1000)));
    }
    for (long i = 0; i < 100; i++) {
      rig.send(big(i));
    }
    int held = 0;
    for (int i = 0; i < 20; i++) {
      FakeGroup group = rig.broker.group("ephemeral-" + (i + 1));
      held += group.inFlight();
    }
    assertThat(held * 60_000L).isLessThan(24L << 20);
  }

  @Test
  void shouldGiveNoCreditToASenderThatNeverSettles() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(
        Wire.attach(
            0,
            9,
            "out",
            false,
            new Object[] {0, 1, Wire.source("s"), Wire.target("t"), Wire.u(0)}));
    int credit = 100;
    int sent = 0;
    while (credit > 0 && sent < 1000) {
      credit--;
      for (RawFrame frame : rig.send(Wire.transfer(9, (long) sent++, Wire.message("m")))) {
        credit = frame.code() == RawFrame.FLOW ? frame.uint(6) : credit;
      }
    }
    assertThat(sent).isLessThan(500);
    List<RawFrame> frames = rig.send(Wire.disposition(false, 0, sent - 1, true, null));
    assertThat(of(frames, RawFrame.FLOW).get(0).uint(6)).isEqualTo(100);
  }
}
