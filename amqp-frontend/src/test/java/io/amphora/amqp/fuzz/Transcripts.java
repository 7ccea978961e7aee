package io.amphora.amqp.fuzz;

import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;

/** What well-behaved clients send, frame by frame: what mutations start from. */
final class Transcripts {

  static final List<List<byte[]>> ALL = new ArrayList<>();

  static {
    ALL.add(sasl());
    ALL.add(producer());
    ALL.add(consumer());
    ALL.add(anonymous());
    ALL.add(manyFrames());
    ALL.add(smallWindow());
    ALL.add(sessions());
    ALL.add(filters());
    ALL.add(dynamic());
    ALL.add(richMessage());
    ALL.add(settleSecond());
    ALL.addAll(HostileTranscripts.ALL);
  }

  private Transcripts() {}

  private static List<byte[]> of(byte[]... frames) {
    List<byte[]> all = new ArrayList<>(List.of(Wire.AMQP, Wire.open(), Wire.begin(0)));
    all.addAll(List.of(frames));
    all.add(Wire.end(0));
    all.add(Wire.close());
    return List.copyOf(all);
  }

  private static List<byte[]> sasl() {
    byte[] plain = "\0user\0pw".getBytes(StandardCharsets.UTF_8);
    return List.of(
        Wire.SASL,
        Wire.saslInit("PLAIN", null),
        Wire.saslResponse(plain),
        Wire.AMQP,
        Wire.open(),
        Wire.begin(0),
        Wire.sender(0, 0, "l", Wire.target("t")),
        Wire.transfer(0, 0L, Wire.message("hello")),
        Wire.close());
  }

  private static List<byte[]> producer() {
    return of(
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.transfer(0, 0L, Wire.message("a")),
        Wire.transfer(0, 1L, Wire.message("b"), true, false),
        Wire.transfer(0, 4294967295L, Wire.message("c")),
        Wire.flow(0, 3L, 0, false, true),
        Wire.detach(0, true),
        Wire.sender(0, 0, "out", Wire.target("t/Partitions/1")),
        Wire.transfer(0, 9L, Wire.message("d")));
  }

  private static List<byte[]> consumer() {
    return of(
        Wire.sender(0, 5, "out", Wire.target("t")),
        Wire.transfer(5, 0L, Wire.message("a")),
        Wire.transfer(5, 1L, Wire.message("b")),
        Wire.transfer(5, 2L, Wire.message("c")),
        Wire.receiver(0, 1, "in", Wire.source("t", "queue")),
        Wire.flow(1, 0L, 2, false, false),
        Wire.disposition(true, 0, 0, true, Wire.accepted()),
        Wire.disposition(true, 1, null, true, Wire.list(0x26)),
        Wire.flow(1, 2L, 10, true, true),
        Wire.disposition(true, 0, 9, true, modified()),
        Wire.disposition(true, 0, 9, false, Wire.list(0x25, Wire.list(0x1d, Symbol.valueOf("x")))),
        Wire.detach(1, false));
  }

  private static Object modified() {
    return Wire.list(0x27, true, false, Map.of(Symbol.valueOf("x-opt-a"), List.of(1, "b")));
  }

  private static List<byte[]> anonymous() {
    return of(
        Wire.sender(0, 0, "any", Wire.list(0x29)),
        Wire.transfer(0, 0L, Wire.join(to("t"), Wire.message("a"))),
        Wire.transfer(0, 1L, Wire.join(to("u"), Wire.message("b"))),
        Wire.transfer(0, 2L, Wire.join(to("/topics/v"), Wire.message("c"))),
        Wire.transfer(0, 3L, Wire.message("nowhere")));
  }

  private static byte[] to(String address) {
    return Wire.encode(Wire.list(0x73, "id", null, address));
  }

  private static List<byte[]> manyFrames() {
    byte[] part = new byte[300];
    byte[] head = {0, 0x53, 0x75, (byte) 0xb0, 0, 0, 4, (byte) 0xb0};
    return of(
        Wire.sender(0, 0, "a", Wire.target("t")),
        Wire.sender(0, 1, "b", Wire.target("t")),
        Wire.transfer(0, 0L, head, false, true),
        Wire.transfer(1, 1L, head, false, true),
        Wire.transfer(0, null, part, false, true),
        Wire.transfer(1, null, part, false, true),
        Wire.transfer(0, null, new byte[900], false, false),
        Wire.transfer(1, 1L, new byte[900], false, false),
        aborted());
  }

  private static byte[] aborted() {
    byte[] body =
        Wire.encode(
            Wire.list(0x14, Wire.u(0), Wire.u(2), null, null, null, true, null, null, null, true));
    return Wire.frame(0, 0, body, new byte[0]);
  }

  private static List<byte[]> smallWindow() {
    List<byte[]> all = new ArrayList<>(List.of(Wire.AMQP, Wire.open(512, 5000)));
    all.add(Wire.begin(0, 4294967290L, 2));
    all.add(Wire.sender(0, 0, "out", Wire.target("t")));
    all.add(Wire.receiver(0, 1, "in", Wire.source("t")));
    all.add(Wire.flow(1, null, 100, false, false));
    all.add(Wire.transfer(0, 4294967290L, Wire.data(new byte[3000])));
    all.add(window(1, 1));
    all.add(window(3, 3));
    all.add(window(1, 0));
    all.add(window(8, 0x7FFFFFFF));
    all.add(Wire.close());
    return List.copyOf(all);
  }

  private static byte[] window(int next, int window) {
    return Wire.frame(0, RawFrame.FLOW, Wire.u(next), Wire.u(window), Wire.u(0), Wire.u(100));
  }

  private static List<byte[]> sessions() {
    List<byte[]> all = new ArrayList<>(List.of(Wire.AMQP, Wire.open()));
    for (int channel : new int[] {0, 7, 255, 3}) {
      all.add(Wire.begin(channel));
      all.add(Wire.sender(channel, 1023, "same", Wire.target("t")));
      all.add(
          Wire.attach(
              channel,
              0,
              "same",
              true,
              new Object[] {2, 0, Wire.source("t::g" + channel), Wire.target("x"), null}));
    }
    all.add(Wire.end(7));
    all.add(Wire.begin(7));
    all.add(Wire.end(3));
    all.add(Wire.frame(0, 0, new byte[0], new byte[0]));
    all.add(Wire.close());
    return List.copyOf(all);
  }

  private static List<byte[]> filters() {
    Symbol key = Symbol.valueOf("f");
    Object start = new Wire.Described(Symbol.valueOf("rabbitmq:stream-offset-spec"), "first");
    Object at = new Wire.Described(Symbol.valueOf("amphora:start"), 0L);
    return of(
        Wire.receiver(0, 0, "r1", Wire.source("t", Map.of(key, start))),
        Wire.receiver(0, 1, "r2", Wire.source("t::g", Map.of(key, at), "shared")),
        Wire.receiver(0, 2, "r3", Wire.source("t/Partitions/1", Map.of(key, at))),
        Wire.receiver(0, 3, "r4", Wire.source("topic://t", "topic")),
        Wire.sender(0, 9, "out", Wire.target("t")),
        Wire.transfer(9, 0L, Wire.message("x")),
        Wire.flow(0, 0L, 5, false, false),
        Wire.flow(2, 0L, 5, true, false),
        Wire.detach(2, true));
  }

  private static List<byte[]> dynamic() {
    Wire.Described source = Wire.list(0x28, null, null, null, null, true);
    return of(
        Wire.receiver(0, 0, "answers", source),
        Wire.flow(0, 0L, 5, false, false),
        Wire.sender(0, 1, "tx", Wire.list(0x30, (Object) new Symbol[] {Symbol.valueOf("x")})),
        Wire.detach(0, true));
  }

  private static List<byte[]> richMessage() {
    byte[] header =
        Wire.encode(
            Wire.list(
                0x70, true, UnsignedByte.valueOf((byte) 9), UnsignedInteger.valueOf(3_000_000)));
    Map<Symbol, Object> map =
        Map.of(
            Symbol.valueOf("x-opt-partition-key"),
            "k",
            Symbol.valueOf("x-opt-array"),
            new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")});
    byte[] annotations = Wire.encode(new Wire.Described(UnsignedLong.valueOf(0x72), map));
    byte[] properties = Wire.encode(Wire.list(0x73, "id", null, "t", "subject", null, 5L));
    Map<String, Object> more = Map.of("a", -1, "b", List.of(true, 2.0));
    byte[] application = Wire.encode(new Wire.Described(UnsignedLong.valueOf(0x74), more));
    byte[] value = Wire.encode(new Wire.Described(UnsignedLong.valueOf(0x77), "v"));
    return of(
        Wire.sender(0, 0, "out", Wire.target("t")),
        Wire.receiver(0, 1, "in", Wire.source("t")),
        Wire.flow(1, 0L, 10, false, false),
        Wire.transfer(0, 0L, Wire.join(header, annotations, properties, application, value)),
        Wire.disposition(true, 0, null, true, modified()),
        Wire.disposition(true, 1, null, true, modified()),
        Wire.disposition(true, 2, null, true, modified()));
  }

  private static List<byte[]> settleSecond() {
    return of(
        Wire.attach(
            0, 0, "out", false, new Object[] {0, 1, Wire.source("s"), Wire.target("t"), Wire.u(0)}),
        Wire.attach(
            0, 1, "in", true, new Object[] {null, 1, Wire.source("t"), Wire.target("x"), null}),
        Wire.flow(1, 0L, 10, false, false),
        Wire.transfer(0, 0L, Wire.message("a")),
        Wire.transfer(0, 1L, Wire.message("b")),
        Wire.disposition(false, 0, 1, true, null),
        Wire.disposition(true, 0, 1, false, Wire.accepted()));
  }
}
