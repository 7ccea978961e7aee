package io.amphora.boot.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Session;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** A mover on protonj2; each third transaction is rolled back first. */
final class ProtonMover implements TransactionMover {

  private final int port;
  private final AtomicInteger committed;
  private volatile @Nullable Throwable surprise;

  ProtonMover(int port, AtomicInteger committed) {
    this.port = port;
    this.committed = committed;
  }

  @Override
  public @Nullable Throwable surprise() {
    return surprise;
  }

  @Override
  public void run() {
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", port)) {
      Session session = connection.openSession();
      Receiver receiver =
          session.openReceiver("a", new ReceiverOptions().autoAccept(false).creditWindow(3));
      Sender toB = session.openSender("b");
      Sender toC = session.openSender("c");
      for (int i = 0; ; i++) {
        session.beginTransaction();
        Delivery delivery = receiver.receive(5, TimeUnit.SECONDS);
        if (delivery == null) {
          session.rollbackTransaction();
          continue;
        }
        String text = String.valueOf((Object) delivery.message().body());
        delivery.accept();
        toB.send(keyed(text)).awaitSettlement(20, TimeUnit.SECONDS);
        toC.send(keyed(text)).awaitSettlement(20, TimeUnit.SECONDS);
        if (i % 3 == 2) {
          session.rollbackTransaction();
        } else {
          session.commitTransaction();
          committed.incrementAndGet();
        }
      }
    } catch (ClientException e) {
      // The broker was killed.
    } catch (RuntimeException e) {
      surprise = e;
    }
  }

  private static Message<String> keyed(String text) throws ClientException {
    Message<String> message = Message.create(text);
    message.annotation("x-opt-partition-key", text);
    return message;
  }
}
