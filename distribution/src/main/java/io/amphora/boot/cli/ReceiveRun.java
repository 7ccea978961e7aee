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

  /** Credit while no size is known. */
  private static final int FIRST = 1;

  private static final long AHEAD_BYTES = 16L << 20;

  private final MessageView view;
  private final long wanted;
  private final long patienceMillis;
  private long received;
  private long granted;
  private long largest;

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
  void receive(Connection connection, String address, GentleStop stop) {
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
        take(receiver, delivery);
      }
      receiver.closeAsync().get();
    } catch (InterruptedException e) {
      // Only Ctrl-C interrupts; the summary says so.
    } catch (ClientException | ExecutionException e) {
      if (stop.requested()) {
        return;
      }
      throw CliFailure.failed("after " + received + " messages: " + AmqpErrors.text(e));
    }
  }

  /** Accepts only what was printed; what cannot be printed goes back, with all that came after. */
  private void take(Receiver receiver, Delivery delivery) throws ClientException {
    try {
      largest = Math.max(largest, view.show(delivery));
    } catch (CliFailure e) {
      for (Delivery back = delivery; back != null; back = receiver.tryReceive()) {
        back.release();
      }
      throw e;
    }
    delivery.accept();
    received++;
  }

  /** Messages on their way are held in memory, so that large ones come a few at a time. */
  private void topUp(Receiver receiver) throws ClientException {
    long most = largest == 0 ? FIRST : Math.max(1, Math.min(CREDIT, AHEAD_BYTES / largest));
    long open = granted - received;
    long more = Math.min(most - open, wanted - granted);
    if (open <= most / 2 && more > 0) {
      receiver.addCredit((int) more);
      granted += more;
    }
  }
}
