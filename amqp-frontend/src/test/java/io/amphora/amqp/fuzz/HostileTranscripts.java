package io.amphora.amqp.fuzz;

import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;

/** What is legal and rare, or nearly legal: where implementations of the protocol stumble. */
final class HostileTranscripts {

  private static final int FRAME = 60_000;

  static final List<List<byte[]>> ALL =
      List.of(
          settledBetweenFrames(),
          detachedWithinADelivery(),
          twoSessions(),
          aborted(),
          lateSasl(),
          resumed(),
          oddFlows(),
          largeIn(),
          largeOut());

  private HostileTranscripts() {}

  private static List<byte[]> of(byte[]... frames) {
    List<byte[]> all = new ArrayList<>(List.of(Wire.AMQP, Wire.open(), Wire.begin(0)));
    all.addAll(List.of(frames));
    return List.copyOf(all);
  }

  private static byte[] on(int channel, byte[] frame) {
    byte[] copy = frame.clone();
    copy[6] = (byte) (channel >> 8);
    copy[7] = (byte) channel;
    return copy;
  }

  /** The head of a data section of so many bytes, and no byte of it. */
  private static byte[] head(int length) {
    return Wire.join(new byte[] {0, 0x53, 0x75, (byte) 0xb0}, Wire.int32(length));
  }

  private static List<byte[]> settledBetweenFrames() {
    return of(
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.sender(0, 1, "other", Wire.target("t")),
        Wire.transfer(0, 0L, head(30), false, true),
        Wire.disposition(false, 0, null, true, Wire.accepted()),
        Wire.transfer(1, 1L, head(20), false, true),
        Wire.disposition(false, 0, 5, true, null),
        Wire.transfer(0, 0L, new byte[10], true, true),
        Wire.disposition(false, 0, 0, false, Wire.list(0x26)),
        Wire.transfer(1, null, new byte[20], false, false),
        Wire.transfer(0, null, new byte[20], false, false),
        Wire.disposition(false, 0, 1, true, Wire.accepted()));
  }

  private static List<byte[]> detachedWithinADelivery() {
    return of(
        Wire.begin(1, 0, 1),
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.transfer(0, 0L, Wire.data(new byte[30_000])),
        Wire.transfer(0, 1L, Wire.data(new byte[200])),
        on(1, Wire.receiver(1, 0, "in", Wire.source("t"))),
        on(1, Wire.flow(0, 0L, 10, false, false)),
        Wire.transfer(0, 2L, head(50_000), false, true),
        Wire.detach(0, false),
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.transfer(0, 2L, new byte[100], false, true),
        on(1, Wire.detach(0, true)),
        on(1, Wire.receiver(1, 0, "in", Wire.source("t"))),
        on(1, Wire.flow(0, 0L, 10, true, false)),
        Wire.transfer(0, 9L, Wire.message("x")));
  }

  private static List<byte[]> twoSessions() {
    return of(
        Wire.begin(1),
        Wire.sender(0, 0, "a", Wire.target("t")),
        Wire.sender(1, 0, "b", Wire.target("t")),
        Wire.receiver(1, 1, "in", Wire.source("t")),
        Wire.transfer(0, 0L, head(40), false, true),
        on(1, Wire.transfer(0, 0L, head(30), false, true)),
        on(1, Wire.flow(1, 0L, 5, false, true)),
        Wire.transfer(0, null, new byte[20], false, true),
        on(1, Wire.transfer(0, null, new byte[30], false, false)),
        Wire.end(0),
        on(1, Wire.disposition(true, 0, 3, true, Wire.accepted())),
        Wire.begin(0),
        Wire.receiver(0, 0, "in", Wire.source("t")),
        Wire.flow(0, 0L, 5, false, false),
        Wire.sender(0, 1, "b", Wire.target("t")),
        Wire.transfer(1, 7L, Wire.message("y")),
        Wire.end(1),
        Wire.end(0));
  }

  private static byte[] abort(int handle, Long id, boolean settled, byte[] payload) {
    Object tag = id == null ? null : new Binary(new byte[] {id.byteValue()});
    Object number = id == null ? null : Wire.u(id);
    byte[] body =
        Wire.encode(
            Wire.list(
                RawFrame.TRANSFER,
                Wire.u(handle),
                number,
                tag,
                Wire.u(0),
                settled,
                true,
                null,
                null,
                false,
                true));
    return Wire.frame(0, 0, body, payload);
  }

  private static List<byte[]> aborted() {
    return of(
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.transfer(0, 0L, head(30), false, true),
        abort(0, null, false, new byte[0]),
        abort(0, 1L, false, new byte[0]),
        Wire.transfer(0, 2L, head(30), true, true),
        abort(0, 2L, true, new byte[40]),
        Wire.disposition(false, 0, 2, true, null),
        Wire.transfer(0, 0L, Wire.message("again")),
        abort(0, 3L, true, Wire.message("whole and aborted")),
        Wire.detach(0, true));
  }

  private static List<byte[]> lateSasl() {
    byte[] init = Wire.saslInit("ANONYMOUS", new byte[0]);
    return List.of(
        Wire.SASL,
        init,
        init,
        Wire.AMQP,
        Wire.open(),
        Wire.saslResponse(new byte[600]),
        Wire.begin(0),
        Wire.SASL,
        Wire.sender(0, 0, "out", Wire.target("t")),
        init,
        Wire.AMQP,
        Wire.close());
  }

  /** Attaches of links that the client thinks it had before, with what it thinks is unsettled. */
  private static byte[] resumedAttach(int handle, boolean receives, boolean incomplete) {
    Map<Object, Object> unsettled = new java.util.LinkedHashMap<>();
    unsettled.put(new Binary(new byte[] {1}), Wire.accepted());
    unsettled.put(new Binary(new byte[] {2}), null);
    unsettled.put(new Binary(new byte[40]), Wire.list(0x23, Wire.u(1), 5L));
    return Wire.frame(
        0,
        RawFrame.ATTACH,
        receives ? "in" : "out",
        Wire.u(handle),
        receives,
        null,
        null,
        Wire.source("t"),
        Wire.target("t"),
        unsettled,
        incomplete,
        receives ? null : Wire.u(4294967290L),
        org.apache.qpid.proton.amqp.UnsignedLong.valueOf(7),
        null,
        new Symbol[] {Symbol.valueOf("x")},
        Map.of(Symbol.valueOf("k"), List.of(1, "b")));
  }

  private static List<byte[]> resumed() {
    byte[] body =
        Wire.encode(
            Wire.list(
                RawFrame.TRANSFER,
                Wire.u(0),
                Wire.u(5),
                new Binary(new byte[] {1}),
                Wire.u(0),
                false,
                false,
                null,
                Wire.accepted(),
                true));
    return of(
        resumedAttach(0, false, false),
        resumedAttach(1, true, true),
        Wire.frame(0, 0, body, Wire.message("resumed")),
        Wire.flow(1, 0L, 5, false, false),
        Wire.transfer(0, 6L, Wire.message("new")),
        Wire.disposition(true, 0, null, false, Wire.list(0x23, Wire.u(0), 3L)),
        Wire.detach(0, false),
        resumedAttach(0, false, true),
        Wire.transfer(0, 7L, Wire.message("newer")));
  }

  private static byte[] flow(Object... fields) {
    return Wire.frame(0, RawFrame.FLOW, fields);
  }

  private static List<byte[]> oddFlows() {
    Object most = Wire.u(0xFFFFFFFFL);
    Object half = Wire.u(0x80000000L);
    Object none = Wire.u(0);
    return of(
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.receiver(0, 1, "in", Wire.source("t")),
        flow(null, most, none, most, Wire.u(1), null, Wire.u(1)),
        flow(Wire.u(1), most, half, none, Wire.u(1), most, most, most, true, true),
        Wire.transfer(0, 0L, Wire.message("a")),
        flow(half, none, none, none, Wire.u(1), none, none),
        flow(Wire.u(3), half, none, most, Wire.u(1), half, half, null, false, false),
        flow(Wire.u(9), Wire.u(5), Wire.u(9), none, null, Wire.u(3), Wire.u(4), none, true, true),
        Wire.transfer(0, 1L, Wire.message("b")),
        flow(Wire.u(2), Wire.u(100), Wire.u(2), none, none, most, most, most, true, true),
        flow(Wire.u(2), Wire.u(100), Wire.u(2), none, none, null, null, null, null, true),
        flow(Wire.u(2), Wire.u(100), Wire.u(2), none, Wire.u(1), Wire.u(1), none, none, true),
        flow(Wire.u(2), Wire.u(100), Wire.u(2), none, Wire.u(1), Wire.u(7), Wire.u(2)));
  }

  private static List<byte[]> large(int handle, long id) {
    List<byte[]> frames = new ArrayList<>();
    int rest = 20 * FRAME;
    frames.add(Wire.transfer(handle, id, head(rest), false, true));
    for (; rest > 0; rest -= FRAME) {
      frames.add(Wire.transfer(handle, null, new byte[FRAME], false, rest > FRAME));
    }
    return frames;
  }

  private static List<byte[]> largeIn() {
    List<byte[]> all = new ArrayList<>(of(Wire.sender(0, 0, "out", Wire.target("t"))));
    all.addAll(large(0, 0));
    all.add(Wire.transfer(0, 1L, Wire.message("behind")));
    all.addAll(large(0, 2).subList(0, 19));
    all.add(Wire.detach(0, true));
    return List.copyOf(all);
  }

  private static List<byte[]> largeOut() {
    List<byte[]> all = new ArrayList<>(of(Wire.sender(0, 0, "out", Wire.target("t"))));
    all.addAll(large(0, 0));
    all.add(Wire.begin(1, 0, 3));
    all.add(on(1, Wire.receiver(1, 0, "in", Wire.source("t"))));
    all.add(on(1, flow(Wire.u(1), Wire.u(3), Wire.u(0), Wire.u(9), Wire.u(0), null, Wire.u(5))));
    all.add(on(1, flow(Wire.u(4), Wire.u(4), Wire.u(0), Wire.u(9))));
    all.add(on(1, Wire.disposition(true, 0, null, true, Wire.accepted())));
    all.add(on(1, flow(Wire.u(8), Wire.u(4), Wire.u(0), Wire.u(9))));
    all.add(on(1, Wire.detach(0, false)));
    all.add(Wire.end(1));
    return List.copyOf(all);
  }
}
