package io.amphora.amqp.engine;

/**
 * Maps delivery-ids of incoming transfers, which may have gaps (conventions 7.2), to contiguous
 * ones, which the engine demands, and back. Serial arithmetic throughout.
 */
final class DeliveryIds {

  private static final int MOST = 1024;

  private int[] starts = new int[8];
  private int[] shifts = new int[8];
  private int count;
  private int next;

  /** Takes the next delivery-id of the wire and returns the engine's. */
  int toEngine(int wire) {
    if (count == 0) {
      next = wire;
    }
    int shift = wire - next;
    if (count == 0 || shifts[count - 1] != shift) {
      add(next, shift);
    }
    return next++;
  }

  private void add(int start, int shift) {
    if (count == MOST) {
      count = MOST / 2;
      System.arraycopy(starts, MOST / 2, starts, 0, count);
      System.arraycopy(shifts, MOST / 2, shifts, 0, count);
    }
    if (count == starts.length) {
      starts = java.util.Arrays.copyOf(starts, count * 2);
      shifts = java.util.Arrays.copyOf(shifts, count * 2);
    }
    starts[count] = start;
    shifts[count++] = shift;
  }

  /** The wire's id of one of the engine's. */
  int toWire(int engine) {
    for (int i = count - 1; i > 0; i--) {
      if (engine - starts[i] >= 0) {
        return engine + shifts[i];
      }
    }
    return count == 0 ? engine : engine + shifts[0];
  }

  /** The engine's id at or after one of the wire's. */
  int firstFrom(int wire) {
    return find(wire, 0);
  }

  /** The engine's id at or before one of the wire's. */
  int lastUpTo(int wire) {
    return find(wire, -1);
  }

  private int find(int wire, int inGap) {
    for (int i = count - 1; i >= 0; i--) {
      int engine = wire - shifts[i];
      if (engine - starts[i] >= 0) {
        boolean beyond = i + 1 < count && engine - starts[i + 1] >= 0;
        return beyond ? starts[i + 1] + inGap : engine;
      }
    }
    return wire;
  }
}
