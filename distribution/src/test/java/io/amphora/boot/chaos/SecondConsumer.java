package io.amphora.boot.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;
import org.apache.qpid.proton.engine.TransportException;
import org.apache.qpid.proton.message.Message;

/**
 * A receiver with rcv-settle-mode second: it says what it thinks of each message and waits for the
 * broker to settle. It goes on until its connection breaks, and remembers over all its lives what
 * was answered. Used by one thread at a time.
 */
final class SecondConsumer implements Runnable {

  private static final int CREDIT = 50;

  /** Where a message is. */
  record At(int partition, long offset) implements Comparable<At> {
    @Override
    public int compareTo(At other) {
      int byPartition = Integer.compare(partition, other.partition);
      return byPartition != 0 ? byPartition : Long.compare(offset, other.offset);
    }
  }

  private record Said(At at, DeliveryState state) {}

  private final String address;
  private int port;
  private Collector collector = Proton.collector();

  /** Accepted or rejected, and the broker said that it knows. */
  final Set<At> done = new TreeSet<>();

  /** Failures that the broker said it counted. */
  final Map<At, Long> counted = new HashMap<>();

  /** Deliveries that contradict what was answered before. */
  final List<String> contradictions = new ArrayList<>();

  SecondConsumer(String address) {
    this.address = address;
  }

  SecondConsumer on(int brokerPort) {
    port = brokerPort;
    return this;
  }

  @Override
  public void run() {
    collector = Proton.collector();
    Transport transport = Proton.transport();
    Connection connection = Proton.connection();
    connection.collect(collector);
    connection.setContainer("second");
    transport.bind(connection);
    attach(connection);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      exchange(transport, socket.getInputStream(), socket.getOutputStream());
    } catch (IOException | TransportException e) {
      // The broker was killed: the end of this life.
    }
  }

  private void attach(Connection connection) {
    connection.open();
    Session session = connection.session();
    session.open();
    Receiver receiver = session.receiver("second-" + address);
    Source source = new Source();
    source.setAddress(address);
    receiver.setSource(source);
    receiver.setTarget(new Target());
    receiver.setSenderSettleMode(SenderSettleMode.UNSETTLED);
    receiver.setReceiverSettleMode(ReceiverSettleMode.SECOND);
    receiver.open();
    receiver.flow(CREDIT);
  }

  private void exchange(Transport transport, InputStream in, OutputStream out) throws IOException {
    byte[] read = new byte[64 << 10];
    while (true) {
      for (int pending = transport.pending(); pending > 0; pending = transport.pending()) {
        byte[] bytes = new byte[pending];
        transport.head().get(bytes);
        transport.pop(pending);
        out.write(bytes);
      }
      int count = in.read(read, 0, Math.min(read.length, transport.capacity()));
      if (count < 0) {
        return;
      }
      transport.tail().put(read, 0, count);
      transport.process();
      dispatch();
    }
  }

  private void dispatch() {
    for (Event event = collector.peek(); event != null; event = collector.peek()) {
      if (event.getType() == Event.Type.DELIVERY) {
        onDelivery(event.getDelivery());
      } else if (event.getType() == Event.Type.LINK_REMOTE_CLOSE) {
        contradictions.add("detached: " + event.getLink().getRemoteCondition());
      }
      collector.pop();
    }
  }

  private void onDelivery(Delivery delivery) {
    if (delivery.getContext() instanceof Said said) {
      if (delivery.remotelySettled()) {
        onAnswer(said, delivery.getRemoteState());
        delivery.settle();
      }
    } else if (delivery.isReadable() && !delivery.isPartial()) {
      onMessage(delivery);
    }
  }

  private void onAnswer(Said said, DeliveryState answer) {
    if (answer == null || answer.getType() != said.state().getType()) {
      contradictions.add(said + " answered with " + answer);
    } else if (answer instanceof Modified) {
      counted.merge(said.at(), 1L, Long::sum);
    } else {
      done.add(said.at());
    }
  }

  private void onMessage(Delivery delivery) {
    Receiver receiver = (Receiver) delivery.getLink();
    byte[] bytes = new byte[delivery.pending()];
    receiver.recv(bytes, 0, bytes.length);
    receiver.advance();
    Message message = Proton.message();
    message.decode(bytes, 0, bytes.length);
    Map<Symbol, Object> annotations = message.getMessageAnnotations().getValue();
    At at =
        new At(
            (int) annotations.get(Symbol.valueOf("x-opt-partition")),
            (long) annotations.get(Symbol.valueOf("x-opt-sequence-number")));
    long failures = message.getDeliveryCount();
    if (done.contains(at)) {
      contradictions.add(at + " came again");
    }
    if (failures < counted.getOrDefault(at, 0L)) {
      contradictions.add(at + " came with " + failures + " failures of " + counted.get(at));
    }
    DeliveryState state = stateFor(at, failures);
    delivery.setContext(new Said(at, state));
    delivery.disposition(state);
    receiver.flow(1);
  }

  /** Some fail once or twice, some are rejected. */
  private static DeliveryState stateFor(At at, long failures) {
    if (at.offset() % 5 == 0 && failures < 2) {
      Modified failed = new Modified();
      failed.setDeliveryFailed(true);
      return failed;
    }
    return at.offset() % 7 == 0 ? new Rejected() : Accepted.getInstance();
  }
}
