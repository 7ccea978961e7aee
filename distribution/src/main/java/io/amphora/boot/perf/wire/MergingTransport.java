package io.amphora.boot.perf.wire;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.impl.TransportImpl;

/**
 * The stock engine, with dispositions of neighbouring deliveries merged into one range, as good
 * clients do. Owned by the thread of its connection.
 */
final class MergingTransport extends TransportImpl {

  private final Disposition held = new Disposition();
  private int heldChannel = -1;

  @Override
  public boolean writeInto(ByteBuffer output) {
    boolean done = super.writeInto(output);
    return (!done && flushHeld()) ? super.writeInto(output) : done;
  }

  @Override
  protected void writeFrame(
      int channel, FrameBody body, ReadableBuffer payload, Runnable onPayloadTooLarge) {
    if (body instanceof Disposition next) {
      hold(channel, next);
      return;
    }
    flushHeld();
    super.writeFrame(channel, body, payload, onPayloadTooLarge);
  }

  private void hold(int channel, Disposition next) {
    boolean joins =
        heldChannel == channel
            && held.getLast().intValue() + 1 == next.getFirst().intValue()
            && held.getRole() == next.getRole()
            && held.getSettled() == next.getSettled()
            && Objects.equals(held.getState(), next.getState());
    if (joins) {
      held.setLast(next.getFirst());
      return;
    }
    flushHeld();
    heldChannel = channel;
    held.setRole(next.getRole());
    held.setFirst(next.getFirst());
    held.setLast(next.getFirst());
    held.setSettled(next.getSettled());
    held.setState(next.getState());
  }

  private boolean flushHeld() {
    if (heldChannel < 0) {
      return false;
    }
    int channel = heldChannel;
    heldChannel = -1;
    super.writeFrame(channel, held, null, null);
    return true;
  }
}
