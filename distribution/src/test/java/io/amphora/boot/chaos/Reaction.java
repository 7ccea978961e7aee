package io.amphora.boot.chaos;

import java.util.Random;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** What a receiver says of a delivery. */
enum Reaction {
  ACCEPT,
  /** Mostly accepted, else released, failed, failed here, settled without a word, or rejected. */
  MOODY,
  /** The same in an ordered group, which parks what its one member cannot take. */
  MOODY_ALONE,
  /** Nothing: the delivery came settled. */
  NONE;

  /** Whether the message is done with for ever. */
  boolean isFinal(int dice) {
    boolean failedHere = dice >= 94 && dice < 97;
    return !isMoody() || dice < 80 || dice == 99 || (this == MOODY_ALONE && failedHere);
  }

  private boolean isMoody() {
    return this == MOODY || this == MOODY_ALONE;
  }

  /** What the answer depends on; 0 for those that always answer the same. */
  int dice(Random random) {
    return isMoody() ? random.nextInt(100) : 0;
  }

  void answer(Delivery delivery, int dice) throws ClientException {
    if (this == NONE) {
      return;
    }
    if (this == ACCEPT || dice < 80) {
      delivery.accept();
    } else if (dice < 88) {
      delivery.release();
    } else if (dice < 94) {
      delivery.modified(true, false);
    } else if (dice < 97) {
      delivery.modified(true, true);
    } else if (dice < 99) {
      delivery.settle();
    } else {
      delivery.reject("test:unwanted", "for a test");
    }
  }
}
