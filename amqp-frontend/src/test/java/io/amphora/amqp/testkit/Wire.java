package io.amphora.amqp.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/** A client's side of the wire, byte by byte. */
public final class Wire {

  public static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  public static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

  private Wire() {}

  /** A described list. */
  public record Described(Object descriptor, Object value) implements DescribedType {
    @Override
    public Object getDescriptor() {
      return descriptor;
    }

    @Override
    public Object getDescribed() {
      return value;
    }
  }

  public static UnsignedInteger u(long value) {
    return UnsignedInteger.valueOf((int) value);
  }

  public static Described list(int code, Object... fields) {
    return new Described(UnsignedLong.valueOf(code), Arrays.asList(fields));
  }

  public static byte[] encode(Object value) {
    DecoderImpl decoder = new DecoderImpl();
    EncoderImpl encoder = new EncoderImpl(decoder);
    ByteBuffer out = ByteBuffer.allocate(1 << 16);
    encoder.setByteBuffer(out);
    encoder.writeObject(value);
    return Arrays.copyOf(out.array(), out.position());
  }

  public static byte[] frame(int type, int channel, byte[] body, byte[] payload) {
    ByteBuffer out = ByteBuffer.allocate(8 + body.length + payload.length);
    out.putInt(out.capacity()).put((byte) 2).put((byte) type).putShort((short) channel);
    return out.put(body).put(payload).array();
  }

  public static byte[] frame(int channel, int code, Object... fields) {
    return frame(0, channel, encode(list(code, fields)), new byte[0]);
  }

  public static byte[] saslInit(String mechanism, byte[] response) {
    Object binary = response == null ? null : new Binary(response);
    return frame(1, 0, encode(list(0x41, Symbol.valueOf(mechanism), binary)), new byte[0]);
  }

  public static byte[] saslResponse(byte[] response) {
    return frame(1, 0, encode(list(0x43, new Binary(response))), new byte[0]);
  }

  public static byte[] open(int maxFrameSize, Integer idleMillis) {
    Object idle = idleMillis == null ? null : u(idleMillis);
    return frame(
        0,
        RawFrame.OPEN,
        "client",
        null,
        u(maxFrameSize),
        UnsignedShort.valueOf((short) 255),
        idle);
  }

  public static byte[] open() {
    return open(65536, null);
  }

  public static byte[] begin(int channel) {
    return begin(channel, 0, 2048);
  }

  public static byte[] begin(int channel, long nextOutgoingId, int window) {
    return frame(channel, RawFrame.BEGIN, null, u(nextOutgoingId), u(window), u(2048), u(1023));
  }

  public static Described source(String address, String... capabilities) {
    return source(address, null, capabilities);
  }

  public static Described source(String address, Object filter, String... capabilities) {
    Symbol[] symbols = Arrays.stream(capabilities).map(Symbol::valueOf).toArray(Symbol[]::new);
    return list(
        0x28,
        address,
        null,
        null,
        null,
        null,
        null,
        null,
        filter,
        null,
        null,
        symbols.length == 0 ? null : symbols);
  }

  public static Described target(String address) {
    return list(0x29, address);
  }

  /** Attach of a client's sender. */
  public static byte[] sender(int channel, int handle, String name, Object target) {
    return attach(
        channel, handle, name, false, new Object[] {null, null, source("s"), target, u(0)});
  }

  /** Attach of a client's receiver. */
  public static byte[] receiver(int channel, int handle, String name, Object source) {
    return attach(
        channel, handle, name, true, new Object[] {null, null, source, target("t"), null});
  }

  /**
   * Any attach.
   *
   * @param more snd-settle-mode, rcv-settle-mode, source, target, initial-delivery-count
   */
  public static byte[] attach(int channel, int handle, String name, boolean rcv, Object[] more) {
    return frame(
        channel,
        RawFrame.ATTACH,
        name,
        u(handle),
        rcv,
        more[0] == null ? null : UnsignedByte.valueOf(((Integer) more[0]).byteValue()),
        more[1] == null ? null : UnsignedByte.valueOf(((Integer) more[1]).byteValue()),
        more[2],
        more[3],
        null,
        null,
        more[4]);
  }

  public static byte[] transfer(int handle, Long id, byte[] payload) {
    return transfer(handle, id, payload, false, false);
  }

  public static byte[] transfer(
      int handle, Long id, byte[] payload, boolean settled, boolean more) {
    Object tag = id == null ? null : new Binary(Long.toString(id).getBytes(StandardCharsets.UTF_8));
    byte[] body =
        encode(
            list(
                RawFrame.TRANSFER, u(handle), id == null ? null : u(id), tag, u(0), settled, more));
    return frame(0, 0, body, payload);
  }

  /** Flow of a link; null fields stay null. */
  public static byte[] flow(int handle, Long count, long credit, boolean drain, boolean echo) {
    return frame(
        0,
        RawFrame.FLOW,
        u(1),
        u(100000),
        u(0),
        u(2048),
        u(handle),
        count == null ? null : u(count),
        u(credit),
        null,
        drain,
        echo);
  }

  public static byte[] disposition(
      boolean receiver, int first, Integer last, boolean settled, Object state) {
    return frame(
        0, RawFrame.DISPOSITION, receiver, u(first), last == null ? null : u(last), settled, state);
  }

  public static byte[] detach(int handle, boolean closed) {
    return frame(0, RawFrame.DETACH, u(handle), closed);
  }

  public static byte[] end(int channel) {
    return frame(channel, RawFrame.END);
  }

  public static byte[] close() {
    return frame(0, RawFrame.CLOSE);
  }

  public static Described accepted() {
    return list(0x24);
  }

  /** A message with one data section. */
  public static byte[] message(String text) {
    return data(text.getBytes(StandardCharsets.UTF_8));
  }

  public static byte[] data(byte[] content) {
    return join(List.of(new byte[] {0, 0x53, 0x75, (byte) 0xb0}, int32(content.length), content));
  }

  public static byte[] int32(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  public static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }

  public static byte[] join(byte[]... parts) {
    return join(List.of(parts));
  }
}
