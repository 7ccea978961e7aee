package io.amphora.amqp.tx;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;

/** A client's side of transactions, byte by byte. */
final class TxWire {

  static final int CONTROL = 7;

  private TxWire() {}

  static byte[] coordinator(int handle, String name) {
    Symbol[] wanted = {Symbol.valueOf("amqp:local-transactions")};
    return Wire.sender(0, handle, name, Wire.list(0x30, (Object) wanted));
  }

  private static byte[] value(Object value) {
    return Wire.encode(
        new Wire.Described(org.apache.qpid.proton.amqp.UnsignedLong.valueOf(0x77), value));
  }

  static byte[] declareMessage() {
    return value(Wire.list(0x31, (Object) null));
  }

  static byte[] dischargeMessage(Binary id, Boolean fail) {
    return value(Wire.list(0x32, id, fail));
  }

  static byte[] declare(long delivery) {
    return Wire.transfer(CONTROL, delivery, declareMessage());
  }

  static byte[] discharge(long delivery, Binary id, Boolean fail) {
    return Wire.transfer(CONTROL, delivery, dischargeMessage(id, fail));
  }

  static Wire.Described state(Binary id, Object outcome) {
    return Wire.list(0x34, id, outcome);
  }

  /** A transfer in a transaction. */
  static byte[] transfer(int handle, long delivery, Binary id, String text) {
    return transfer(handle, delivery, Wire.message(text), state(id, null), false);
  }

  static byte[] transfer(int handle, long delivery, byte[] payload, Object state, boolean settled) {
    return transfer(new Object[] {handle, delivery, settled, false}, payload, state);
  }

  /**
   * Any transfer.
   *
   * @param about handle, delivery-id, settled, more
   */
  static byte[] transfer(Object[] about, byte[] payload, Object state) {
    long id = (Long) about[1];
    Binary tag = new Binary(Long.toString(id).getBytes(StandardCharsets.UTF_8));
    byte[] body =
        Wire.encode(
            Wire.list(
                RawFrame.TRANSFER,
                Wire.u((Integer) about[0]),
                Wire.u(id),
                tag,
                Wire.u(0),
                about[2],
                about[3],
                null,
                state));
    return Wire.frame(0, 0, body, payload);
  }

  /** Declares a transaction and returns its id. */
  static Binary begin(EngineRig rig, long delivery) {
    List<RawFrame> frames = rig.send(declare(delivery));
    return idOf(of(frames, RawFrame.DISPOSITION).get(0));
  }

  static Binary idOf(RawFrame disposition) {
    DescribedType declared = (DescribedType) disposition.get(4);
    return (Binary) ((List<?>) declared.getDescribed()).get(0);
  }

  static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  /** Condition of the rejection that is a field, or "". */
  static String rejection(Object state) {
    if (!(state instanceof DescribedType described)) {
      return "";
    }
    List<?> fields = (List<?>) described.getDescribed();
    String code = String.valueOf(described.getDescriptor());
    if (code.equals("52")) {
      return rejection(fields.get(1));
    }
    return code.equals("37")
        ? String.valueOf(((List<?>) ((DescribedType) fields.get(0)).getDescribed()).get(0))
        : "";
  }
}
