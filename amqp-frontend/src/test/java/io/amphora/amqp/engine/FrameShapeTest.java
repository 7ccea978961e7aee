package io.amphora.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;

class FrameShapeTest {

  private static final Map<Integer, Integer> FIELDS =
      Map.of(
          RawFrame.OPEN, 10,
          RawFrame.BEGIN, 8,
          RawFrame.ATTACH, 14,
          RawFrame.FLOW, 11,
          RawFrame.TRANSFER, 11,
          RawFrame.DISPOSITION, 6,
          RawFrame.DETACH, 3,
          RawFrame.END, 1,
          RawFrame.CLOSE, 1);

  /** A whole conversation: publish, consume, settle, refuse, drain, detach, end, close. */
  private static byte[] conversation() {
    return Wire.join(
        Wire.AMQP,
        Wire.open(),
        Wire.begin(0),
        Wire.begin(1),
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.transfer(0, 0L, Wire.message("one")),
        Wire.transfer(0, 1L, Wire.message("two")),
        Wire.transfer(0, 2L, new byte[] {1, 2, 3}),
        Wire.receiver(0, 1, "in", Wire.source("t")),
        Wire.flow(1, 0L, 10, false, true),
        Wire.sender(0, 2, "bad", Wire.target("a::b")),
        Wire.detach(2, true),
        Wire.receiver(0, 2, "short", Wire.source("t")),
        Wire.detach(2, true));
  }

  private static EngineRig rig() {
    EngineRig rig = new EngineRig();
    rig.broker.withTopic("t", 1);
    return rig;
  }

  @Test
  void shouldWriteAllFieldsOfEveryFrame() {
    EngineRig rig = rig();
    List<RawFrame> frames = new ArrayList<>(rig.send(conversation()));
    frames.addAll(rig.send(Wire.flow(1, 2L, 10, true, false)));
    frames.addAll(rig.send(Wire.disposition(true, 0, 1, false, Wire.accepted())));
    frames.addAll(rig.send(Wire.detach(0, true), Wire.end(1), Wire.close()));
    assertThat(frames.stream().map(RawFrame::code)).containsAll(FIELDS.keySet());
    for (RawFrame frame : frames) {
      if (frame.code() > 0) {
        assertThat(frame.fields()).as("%s", frame).hasSize(FIELDS.get(frame.code()));
      }
    }
  }

  @Test
  void shouldFillTheFieldsClientsStumbleOver() {
    List<RawFrame> frames = rig().send(conversation());
    RawFrame open = first(frames, RawFrame.OPEN);
    assertThat(open.get(0)).isEqualTo("b1");
    assertThat(open.uint(2)).isEqualTo(65536);
    assertThat(open.uint(4)).isEqualTo(60_000);
    assertThat(((Map<?, ?>) open.get(9)).get(Symbol.valueOf("product"))).isEqualTo("Amphora");
    RawFrame begin = first(frames, RawFrame.BEGIN);
    assertThat(begin.uint(4)).isEqualTo(1023);
    RawFrame attach = first(frames, RawFrame.ATTACH);
    assertThat(attach.get(0)).isEqualTo("out");
    assertThat(attach.get(10)).isEqualTo(UnsignedLong.valueOf(64 << 20));
    assertThat(attach.get(13)).isEqualTo(Map.of());
    RawFrame in =
        frames.stream()
            .filter(f -> f.code() == RawFrame.ATTACH && "in".equals(f.get(0)))
            .findFirst()
            .orElseThrow();
    assertThat(in.get(9)).isEqualTo(UnsignedInteger.ZERO);
    RawFrame transfer = first(frames, RawFrame.TRANSFER);
    assertThat(transfer.get(2)).hasToString(transfer.get(2).toString());
    assertThat(((org.apache.qpid.proton.amqp.Binary) transfer.get(2)).getLength()).isEqualTo(16);
    assertThat(transfer.get(3)).isEqualTo(UnsignedInteger.ZERO);
  }

  private static RawFrame first(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).findFirst().orElseThrow();
  }

  @Test
  void shouldGiveTheSameAnswersHoweverTheInputIsSplit() {
    List<String> whole = outline(rig().send(conversation()));
    EngineRig single = rig();
    List<RawFrame> frames = new ArrayList<>();
    for (byte b : conversation()) {
      frames.addAll(single.send(new byte[] {b}));
    }
    assertThat(outline(frames)).containsExactlyInAnyOrderElementsOf(whole);
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      EngineRig rig = rig();
      byte[] all = conversation();
      List<RawFrame> got = new ArrayList<>();
      for (int at = 0; at < all.length; ) {
        int next = Math.min(all.length, at + 1 + random.nextInt(200));
        got.addAll(rig.send(java.util.Arrays.copyOfRange(all, at, next)));
        at = next;
      }
      assertThat(outline(got)).as("round %d", round).containsExactlyInAnyOrderElementsOf(whole);
    }
  }

  /** What must not depend on timing: flows and ranges may. */
  private static List<String> outline(List<RawFrame> frames) {
    List<String> lines = new ArrayList<>();
    for (RawFrame f : frames) {
      if (f.code() == RawFrame.TRANSFER) {
        lines.add("transfer " + f.get(1));
      } else if (f.code() == RawFrame.DISPOSITION) {
        int last = f.get(2) == null ? f.uint(1) : f.uint(2);
        for (int id = f.uint(1); id <= last; id++) {
          lines.add("disposition " + id + " " + f.described(4));
        }
      } else if (f.code() != RawFrame.FLOW) {
        lines.add(f.code() + " " + f.channel());
      }
    }
    return lines;
  }

  @Test
  void shouldMergeDispositionsIntoRanges() {
    EngineRig rig = rig().opened();
    rig.send(Wire.sender(0, 0, "out", Wire.target("t")));
    byte[][] transfers = new byte[50][];
    for (int i = 0; i < 50; i++) {
      transfers[i] = Wire.transfer(0, (long) i, Wire.message("m" + i));
    }
    List<RawFrame> dispositions =
        rig.send(transfers).stream().filter(f -> f.code() == RawFrame.DISPOSITION).toList();
    assertThat(dispositions).hasSize(1);
    assertThat(dispositions.get(0).uint(1)).isZero();
    assertThat(dispositions.get(0).uint(2)).isEqualTo(49);
    assertThat(dispositions.get(0).get(3)).isEqualTo(true);
    assertThat(rig.broker.partition("t", 0).appends).hasSize(1);
  }
}
