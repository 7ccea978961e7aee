package io.amphora.boot.cli;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** One run of {@code receive}: never asks for more than it will take. */
final class ReceiveRun {

  private static final int CREDIT = 500;

  private final MessageView view;
  private final long wanted;
  private final long patienceMillis;
  private long received;
  private long granted;

  /**
   * @param wanted most messages to take
   * @param patienceMillis how long to wait for the next one; -1 for ever
   */
  ReceiveRun(MessageView view, long wanted, long patienceMillis) {
    this.view = view;
    this.wanted = wanted;
    this.patienceMillis = patienceMillis;
  }

  long received() {
    return received;
  }

  /** Receives, prints and accepts until done. */
  void receive(Connection connection, String address) {
    try {
      Receiver receiver =
          connection
              .openReceiver(address, new ReceiverOptions().creditWindow(0).autoAccept(false))
              .openFuture()
              .get();
      while (received < wanted) {
        topUp(receiver);
        Delivery delivery = receiver.receive(patienceMillis, TimeUnit.MILLISECONDS);
        if (delivery == null) {
          break;
        }
        view.show(delivery);
        delivery.accept();
        received++;
      }
      receiver.closeAsync().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CliFailure.failed("interrupted after " + received);
    } catch (ClientException | ExecutionException e) {
      throw CliFailure.failed("after " + received + " messages: " + AmqpErrors.text(e));
    }
  }

  private void topUp(Receiver receiver) throws ClientException {
    long open = granted - received;
    long more = Math.min(CREDIT - open, wanted - granted);
    if (open <= CREDIT / 2 && more > 0) {
      receiver.addCredit((int) more);
      granted += more;
    }
  }
}
