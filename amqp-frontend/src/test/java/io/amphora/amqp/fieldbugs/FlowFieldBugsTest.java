package io.amphora.amqp.fieldbugs;

import static io.amphora.amqp.fieldbugs.Frames.flow;
import static io.amphora.amqp.fieldbugs.Frames.messages;
import static io.amphora.amqp.fieldbugs.Frames.of;
import static io.amphora.amqp.fieldbugs.Frames.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Field bugs of section B3 that have no test elsewhere: docs/hardening.md. */
class FlowFieldBugsTest {

  /** Of a producer link, with something to spare. */
  private static final int CREDIT = 50;

  private static final long[] OPEN = {1, 1_000_000};

  private final EngineRig rig = new EngineRig();
  private final EngineRig other = new EngineRig(rig);
  private long nextId;

  @BeforeEach
  void open() {
    rig.broker.withTopic("t", 1).withTopic("u", 1);
    rig.opened();
    other.opened();
    other.send(Wire.sender(0, 0, "out", Wire.target("t")));
    other.send(Wire.sender(0, 1, "out2", Wire.target("u")));
  }

  private void publish(int handle, int count) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(Wire.transfer(handle, nextId, Wire.message("m" + nextId)));
      nextId++;
      if (all.size() == CREDIT || i == count - 1) {
        assertThat(of(other.send(all.toArray(byte[][]::new)), RawFrame.DETACH)).isEmpty();
        all.clear();
      }
    }
  }

  private void receiver(int handle, String address) {
    rig.send(Wire.receiver(0, handle, "in" + handle, Wire.source(address)));
  }

  /** Field bugs B37 and B38: a drain is answered, credit is never exceeded, and then it goes on. */
  @Test
  void shouldAnswerDrainsAndResumeWhileMessagesKeepComing() {
    receiver(0, "t");
    Random random = new Random(38);
    long count = 0;
    int sent = 0;
    int delivered = 0;
    for (int round = 0; round < 300; round++) {
      int more = random.nextInt(4);
      publish(0, more);
      sent += more;
      boolean drain = random.nextBoolean();
      int credit = random.nextInt(5);
      List<RawFrame> frames = new ArrayList<>(rig.read());
      assertThat(messages(frames)).as("nothing comes without credit").isZero();
      frames.addAll(rig.send(Wire.flow(0, count, credit, drain, false)));
      int got = messages(frames);
      assertThat(got).isEqualTo(Math.min(credit, sent - delivered));
      delivered += got;
      if (drain) {
        RawFrame answer = of(frames, RawFrame.FLOW).get(0);
        assertThat(answer.uint(6)).isZero();
        assertThat(answer.uint(5)).isEqualTo((int) count + credit);
        count += credit;
      } else {
        count += got;
        rig.send(Wire.flow(0, count, 0, false, false));
      }
    }
    assertThat(messages(rig.send(Wire.flow(0, count, 10_000, false, false))))
        .isEqualTo(sent - delivered);
  }

  /** Field bug B40: credit that comes with the attach, from a client that knows no count yet. */
  @Test
  void shouldTakeAFlowWithoutCountAndIdsRightBehindTheAttach() {
    publish(0, 3);
    List<RawFrame> frames =
        rig.send(
            Wire.receiver(0, 0, "in", Wire.source("t")), flow(0, new long[] {-1, 100}, null, 2));
    assertThat(messages(frames)).isEqualTo(2);
    assertThat(of(frames, RawFrame.END)).isEmpty();
  }

  /** Field bug B40: what the broker's own flows must have (part 2, section 2.7.4). */
  @Test
  void shouldFillTheWindowFieldsOfItsFlows() {
    RawFrame flow = only(rig.send(Wire.sender(0, 3, "s", Wire.target("t"))), RawFrame.FLOW);
    for (int field = 0; field <= 6; field++) {
      assertThat(flow.get(field)).as("field %d", field).isNotNull();
    }
  }

  /** Field bug B41: credit is what the receiver says minus what was sent since, never a sum. */
  @Test
  void shouldNotAddUpCreditThatIsSetAgainAndAgain() {
    receiver(0, "t");
    long seen = 0;
    for (int i = 0; i < 30; i++) {
      rig.send(Wire.flow(0, seen, 100, false, false));
      publish(0, 10);
      seen += messages(rig.read());
    }
    assertThat(seen).isEqualTo(300);
    publish(0, 1000);
    assertThat(messages(rig.read())).as("300 to 390 of the last flow").isEqualTo(90);
  }

  /** Field bug B43: a client that computes with a count it had before its credit was used. */
  @Test
  void shouldNotTakeAnOldCountForNegativeCredit() {
    receiver(0, "t");
    rig.send(Wire.flow(0, 0L, 50, false, false));
    publish(0, 100);
    assertThat(messages(rig.read())).isEqualTo(50);
    assertThat(messages(rig.send(Wire.flow(0, 0L, 20, false, false)))).isZero();
    assertThat(messages(rig.send(Wire.flow(0, 0L, 51, false, false)))).isEqualTo(1);
    assertThat(messages(rig.send(Wire.flow(0, 51L, 10, false, false)))).isEqualTo(10);
  }

  /** Field bug B44: more than 2^16 messages through a small window. */
  @Test
  void shouldGoOnBeyond65535Messages() {
    receiver(0, "t");
    int most = 66_000;
    int seen = 0;
    for (int round = 0; round < most / 500; round++) {
      publish(0, 500);
      for (int got = 1; got > 0; seen += got) {
        long next = 1 + seen;
        got = messages(rig.send(flow(0, new long[] {next, 50}, (long) seen, 1000)));
        if (got > 0) {
          rig.send(Wire.disposition(true, seen, seen + got - 1, true, Wire.accepted()));
        }
      }
    }
    assertThat(seen).isEqualTo(most);
  }

  /** Field bug B44: transfer and delivery ids of the client that wrap at 2^32. */
  @Test
  void shouldTakeTransfersOverTheWrapOfTheirIds() {
    rig.send(Wire.begin(1, 0xFFFFFFFAL, 100));
    rig.send(
        Wire.attach(
            1, 0, "s", false, new Object[] {null, null, null, Wire.target("t"), Wire.u(-6)}));
    List<byte[]> transfers = new ArrayList<>();
    for (long i = 0xFFFFFFFAL; i < 0xFFFFFFFAL + 12; i++) {
      byte[] transfer = Wire.transfer(0, i & 0xFFFFFFFFL, Wire.message("m"));
      transfer[7] = 1;
      transfers.add(transfer);
    }
    List<RawFrame> frames = rig.send(transfers.toArray(byte[][]::new));
    List<RawFrame> answers = of(frames, RawFrame.DISPOSITION);
    assertThat(answers.get(0).uint(1)).isEqualTo(-6);
    assertThat(answers.get(answers.size() - 1).uint(2)).isEqualTo(5);
    assertThat(rig.broker.partition("t", 0).records()).hasSize(12);
  }

  /** Field bug B46: a delivery that is held blocks neither its session nor another one. */
  @Test
  void shouldServeOtherLinksWhileADeliveryIsHeld() {
    receiver(0, "t");
    receiver(1, "u");
    rig.send(Wire.begin(1));
    publish(0, 1);
    assertThat(messages(rig.send(Wire.flow(0, 0L, 1, false, false)))).isEqualTo(1);
    int seen = 0;
    for (int round = 0; round < 10; round++) {
      publish(1, 500);
      long next = 2 + seen;
      int got = messages(rig.send(flow(1, new long[] {next, 2047}, (long) seen, 500)));
      assertThat(got).isEqualTo(500);
      rig.send(Wire.disposition(true, 1 + seen, seen + got, true, Wire.accepted()));
      seen += got;
    }
    publish(1, 10);
    assertThat(messages(rig.send(flow(1, new long[] {2 + seen, 0}, (long) seen, 100)))).isZero();
    byte[] elsewhere =
        Wire.attach(1, 0, "x", true, new Object[] {null, null, Wire.source("t::g"), null, null});
    rig.send(elsewhere);
    byte[] credit = flow(0, new long[] {1, 100}, 0L, 5);
    credit[7] = 1;
    assertThat(messages(rig.send(credit))).as("another session has its own window").isEqualTo(1);
    List<RawFrame> resumed = rig.send(flow(1, new long[] {2 + seen, 100}, (long) seen, 100));
    assertThat(messages(resumed)).as("at once when the window is open again").isEqualTo(10);
  }

  /**
   * Field bug B47: a message of more frames than the window goes on from the byte it stopped at.
   */
  @Test
  void shouldContinueALargeMessageFromTheSameByte() {
    EngineRig small = new EngineRig(rig);
    small.send(Wire.AMQP, Wire.open(512, null), Wire.begin(0));
    byte[] content = new byte[50_000];
    new Random(47).nextBytes(content);
    byte[] message = Wire.data(content);
    other.send(Wire.transfer(0, nextId++, message));
    small.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    List<byte[]> parts = new ArrayList<>();
    int frames = 0;
    boolean more = true;
    while (more && frames < 1000) {
      List<RawFrame> some =
          of(small.send(flow(0, new long[] {1 + frames, 7}, 0L, 1)), RawFrame.TRANSFER);
      assertThat(some).hasSizeBetween(1, 7);
      some.forEach(f -> parts.add(f.payload()));
      frames += some.size();
      more = Boolean.TRUE.equals(some.get(some.size() - 1).get(5));
    }
    assertThat(Wire.join(parts)).endsWith(message);
  }

  /** Field bug B50: an address that does not answer does not stop the others of the link. */
  @Test
  void shouldServeAnAnonymousProducerWhileOneAddressIsBlocked() {
    rig.send(Wire.sender(0, 5, "any", Wire.list(0x29)));
    rig.broker.partition("u", 0).silent = true;
    rig.send(Wire.transfer(5, 0L, to("u")));
    rig.broker.partition("u", 0).silent = false;
    List<byte[]> others = new ArrayList<>();
    for (long i = 1; i < 40; i++) {
      others.add(Wire.transfer(5, i, to("t")));
    }
    rig.send(others.toArray(byte[][]::new));
    assertThat(rig.broker.partition("t", 0).records()).hasSize(39);
    List<RawFrame> refused = rig.send(Wire.transfer(5, 40L, to("u/Partitions/9")));
    assertThat(of(refused, RawFrame.DETACH)).isEmpty();
    List<RawFrame> frames = rig.send(Wire.flow(5, 41L, 0, false, true));
    assertThat(only(frames, RawFrame.FLOW).uint(6)).as("credit").isPositive();
  }

  private static byte[] to(String address) {
    return Wire.join(Wire.encode(Wire.list(0x73, null, null, address)), Wire.message("x"));
  }

  /** The window of the session stays what it was when a link gets credit only. */
  @Test
  void shouldHonourTheWindowWhateverTheCredit() {
    receiver(0, "t");
    publish(0, 100);
    assertThat(messages(rig.send(flow(0, new long[] {1, 10}, 0L, 1_000_000)))).isEqualTo(10);
    assertThat(messages(rig.send(flow(0, new long[] {6, 5}, 5L, 1_000_000)))).isZero();
    assertThat(messages(rig.send(flow(0, OPEN, 10L, 1_000_000)))).isEqualTo(90);
  }
}
