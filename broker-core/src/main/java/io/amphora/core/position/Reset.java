package io.amphora.core.position;

/**
 * Orders administrative resets: compared by leader epoch, then counter (safety rule 18).
 *
 * @param epoch leader epoch of the dispatcher that reset
 * @param counter resets within the epoch
 */
public record Reset(int epoch, int counter) implements Comparable<Reset> {

  /** Before any reset. */
  public static final Reset NONE = new Reset(0, 0);

  @Override
  public int compareTo(Reset other) {
    int byEpoch = Integer.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Integer.compare(counter, other.counter);
  }
}
