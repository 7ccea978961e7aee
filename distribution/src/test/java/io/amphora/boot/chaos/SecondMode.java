package io.amphora.boot.chaos;

import io.amphora.boot.it.WholeMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/**
 * A receiver with rcv-settle-mode second: it accepts, and settles when the broker has. No client
 * offers that, so it drives the engine of one over a socket of its own. One thread at a time.
 */
final class SecondMode implements ChaosLink {

  private static final int CREDIT = 50;

  private final String address;
  private final Group group;
  private final TopicRecord record;

  SecondMode(String address, Group group, TopicRecord record) {
    this.address = address;
    this.group = group;
    this.record = record;
  }

  @Override
  public String name() {
    return "second mode";
  }

  @Override
  public void run(Connection unused, int port, Random random) throws IOException {
    Trace trace = record.trace(name(), Attachment.ordered(address));
    try (Socket socket = new Socket("127.0.0.1", port)) {
      Engine engine = EngineFactory.PROTON.createNonSaslEngine();
      engine.outputConsumer(buffer -> write(socket, buffer));
      Receiver receiver = open(engine);
      receiver.deliveryReadHandler(delivery -> onDelivery(delivery, trace));
      receiver.deliveryStateUpdatedHandler(SecondMode::onSettled);
      receiver.addCredit(CREDIT);
      pump(socket.getInputStream(), engine);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Receiver open(Engine engine) {
    org.apache.qpid.protonj2.engine.Connection connection = engine.start();
    connection.setContainerId("second").open();
    Receiver receiver = connection.session().open().receiver("second");
    receiver.setSource(new Source().setAddress(address));
    receiver.setTarget(new Target());
    receiver.setSenderSettleMode(SenderSettleMode.UNSETTLED);
    receiver.setReceiverSettleMode(ReceiverSettleMode.SECOND);
    return receiver.open();
  }

  private static void write(Socket socket, ProtonBuffer buffer) {
    try {
      byte[] bytes = new byte[buffer.getReadableBytes()];
      buffer.readBytes(bytes, 0, bytes.length);
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pump(InputStream in, Engine engine) throws IOException {
    byte[] chunk = new byte[1 << 16];
    for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
      engine.accept(ProtonBufferAllocator.defaultAllocator().copy(Arrays.copyOf(chunk, length)));
      if (engine.isFailed()) {
        throw new IllegalStateException("the engine failed", engine.failureCause());
      }
    }
    throw new IOException("the connection is gone");
  }

  private void onDelivery(IncomingDelivery delivery, Trace trace) {
    if (delivery.isPartial()) {
      delivery.claimAvailableBytes();
      return;
    }
    Arrival arrival = arrival(delivery);
    record.arrived(arrival, trace, Optional.of(group));
    group.finishing(arrival.payload());
    delivery.disposition(Accepted.getInstance(), false);
  }

  private static Arrival arrival(IncomingDelivery delivery) {
    ProtonBuffer payload = delivery.readAll();
    byte[] bytes = new byte[payload.getReadableBytes()];
    payload.readBytes(bytes, 0, bytes.length);
    try {
      return Arrival.of(WholeMessage.of(bytes));
    } catch (ClientException e) {
      throw new IllegalStateException("the message cannot be decoded", e);
    }
  }

  private static void onSettled(IncomingDelivery delivery) {
    boolean same = delivery.getRemoteState() instanceof Accepted;
    if (!delivery.isRemotelySettled() || !same) {
      throw new IllegalStateException("accepted, answered with " + delivery.getRemoteState());
    }
    delivery.settle();
    delivery.getLink().addCredit(1);
  }
}
