package io.amphora.core;

/**
 * What part of the heap the budgets for messages are shares of. Beside them a broker needs memory
 * that does not grow with its heap; a share of all of it would leave a small heap too little. Pure.
 */
public final class HeapShare {

  /** 15 MiB lived in a broker without clients, and 25 KiB for each idle connection (measured). */
  private static final long BASE_BYTES = 32L << 20;

  private HeapShare() {}

  /**
   * Bytes to be shared out.
   *
   * @param heapBytes largest size of the heap, above 0
   */
  public static long forMessages(long heapBytes) {
    return Math.max(heapBytes / 4, heapBytes - BASE_BYTES);
  }
}
