package io.amphora.core.delivery;

import java.util.Arrays;

/**
 * Spreads the credit of one receiver over the partitions it is served from, so that the sum of what
 * partitions may hand out never exceeds it. Owned by the member's loop; pure but for the {@link
 * Lines} it speaks through.
 *
 * <p>Grants stand at the partitions. A partition that has messages and no grant says so once
 * (<em>ready</em>); when no credit is free, half of what stands unused elsewhere is revoked for it.
 * A drain goes in rounds: every partition uses up what it can and gives back the rest, which is
 * offered to those that have more, until nobody has.
 */
final class CreditSplit {
  /** Messages to partitions, and the answer to a drain. */
  interface Lines {
    void grant(int partition, int more);

    /** At once: the credit was lowered. */
    void revoke(int partition, int most);

    /** When what can be handed out with it was: another partition has messages and no credit. */
    void recall(int partition, int most);

    void drain(int partition, int more);

    void drained(int unused);
  }

  private final Lines lines;
  private final int[] granted;
  private final int[] revoking;
  private final boolean[] ready;
  private final boolean[] more;
  private int credit;
  private int total;
  private int revokingTotal;
  private int readyCount;
  private int turn;
  private boolean draining;
  private boolean drainAgain;
  private int drainsOut;

  /**
   * @param partitions at least 1
   */
  CreditSplit(int partitions, Lines lines) {
    this.lines = lines;
    this.granted = new int[partitions];
    this.revoking = new int[partitions];
    this.ready = new boolean[partitions];
    this.more = new boolean[partitions];
  }

  int credit() {
    return credit;
  }

  /** Sets the credit; absolute, not added (field bug B41). */
  void setCredit(int absolute) {
    credit = absolute;
    if (draining) {
      drainAgain = true;
    } else {
      balance();
    }
  }

  /**
   * Deliveries arrived from a partition.
   *
   * @return how many of them are within the credit
   */
  int onHanded(int partition, int number) {
    granted[partition] -= number;
    total -= number;
    int within = Math.min(number, credit);
    credit -= within;
    return within;
  }

  /** Deliveries arrived and were sent back to their partition, whatever the credit. */
  void onRefused(int partition, int number) {
    granted[partition] -= number;
    total -= number;
    if (draining) {
      drainAgain = true;
    }
    balance();
  }

  void onReturned(int partition, int asked, int returned) {
    revoking[partition] -= asked;
    revokingTotal -= asked;
    granted[partition] -= returned;
    total -= returned;
    balance();
  }

  /**
   * A partition has messages and no grant. When a grant is on its way there, they crossed: it will
   * say so again if it still needs more, and must not count as ready while it holds that grant.
   */
  void onReady(int partition) {
    if (!ready[partition] && granted[partition] == 0) {
      ready[partition] = true;
      readyCount++;
    }
    balance();
  }

  private void balance() {
    if (draining) {
      return;
    }
    if (credit > total && readyCount > 0) {
      giveReady(credit - total);
    }
    if (credit > total) {
      giveAll();
    } else if (credit < total) {
      takeBack(total - credit - revokingTotal);
    } else if (readyCount > 0 && revokingTotal == 0) {
      revokeForReady();
    }
  }

  private void giveReady(int free) {
    int share = Math.max(1, free / readyCount);
    int left = free;
    for (int i = 0; i < ready.length && left > 0; i++) {
      int partition = nextTurn();
      if (ready[partition]) {
        int number = Math.min(share, left);
        left -= number;
        give(partition, number);
        lines.grant(partition, number);
      }
    }
  }

  /** Fills every partition up to its fair share; what is left goes one by one. */
  private void giveAll() {
    int fair = credit / granted.length;
    for (int i = 0; i < granted.length && credit > total; i++) {
      int partition = nextTurn();
      int number = Math.min(credit - total, fair - granted[partition]);
      if (number > 0) {
        give(partition, number);
        lines.grant(partition, number);
      }
    }
    while (credit > total) {
      int partition = nextTurn();
      give(partition, 1);
      lines.grant(partition, 1);
    }
  }

  private int nextTurn() {
    int partition = turn;
    turn = turn + 1 == granted.length ? 0 : turn + 1;
    return partition;
  }

  private void give(int partition, int number) {
    granted[partition] += number;
    total += number;
    if (ready[partition]) {
      ready[partition] = false;
      readyCount--;
    }
  }

  private void takeBack(int excess) {
    int left = excess;
    for (int i = 0; i < granted.length && left > 0; i++) {
      int partition = nextTurn();
      int number = Math.min(left, granted[partition] - revoking[partition]);
      if (number > 0) {
        left -= number;
        noteRevoke(partition, number);
        lines.revoke(partition, number);
      }
    }
  }

  private void revokeForReady() {
    for (int partition = 0; partition < granted.length; partition++) {
      if (!ready[partition] && granted[partition] > 0) {
        int half = granted[partition] - granted[partition] / 2;
        noteRevoke(partition, half);
        lines.recall(partition, half);
      }
    }
  }

  private void noteRevoke(int partition, int number) {
    revoking[partition] += number;
    revokingTotal += number;
  }

  // --- drain

  /** Asks all partitions to use up the credit or give it back. */
  void drain() {
    if (draining) {
      drainAgain = true;
    } else if (credit == 0 && total == 0) {
      lines.drained(0);
    } else {
      draining = true;
      Arrays.fill(more, true);
      startRound(granted.length);
    }
  }

  /** Offers the free credit to the partitions that may have more. */
  private void startRound(int members) {
    int free = Math.max(0, credit - total);
    int share = free / members;
    int rest = free % members;
    drainsOut = members;
    for (int i = 0; i < granted.length; i++) {
      int partition = nextTurn();
      if (more[partition]) {
        int number = share + (rest > 0 ? 1 : 0);
        rest -= rest > 0 ? 1 : 0;
        give(partition, number);
        lines.drain(partition, number);
      }
    }
    nextTurn();
  }

  /**
   * A partition finished its part.
   *
   * @param unused what it gave back
   * @param hasMore it had no credit left but more messages
   */
  void onDrained(int partition, int unused, boolean hasMore) {
    granted[partition] -= unused;
    total -= unused;
    more[partition] = hasMore;
    if (--drainsOut == 0) {
      endRound();
    }
  }

  private void endRound() {
    if (drainAgain) {
      drainAgain = false;
      Arrays.fill(more, true);
    }
    int members = 0;
    for (boolean has : more) {
      members += has ? 1 : 0;
    }
    if (members > 0 && credit > 0) {
      startRound(members);
      return;
    }
    draining = false;
    int unused = credit;
    credit = 0;
    lines.drained(unused);
  }
}
