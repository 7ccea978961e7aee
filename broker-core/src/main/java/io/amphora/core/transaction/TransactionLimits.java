package io.amphora.core.transaction;

/**
 * Bounds of transactions.
 *
 * @param timeoutMillis a transaction that lasts longer is rolled back, milliseconds
 * @param openPerConnection transactions that one connection may have open
 * @param bytes most bytes that the messages of one transaction may take
 * @param nodeBytes most bytes that those of all transactions may take
 * @param outcomes most outcomes of one transaction
 */
public record TransactionLimits(
    long timeoutMillis, int openPerConnection, long bytes, long nodeBytes, int outcomes) {

  /** Two minutes, 100 a connection, 16 MiB each, 128 MiB together: for a heap of 1 GiB. */
  public static final TransactionLimits DEFAULT =
      new TransactionLimits(120_000, 100, 16L << 20, 128L << 20, 100_000);
}
