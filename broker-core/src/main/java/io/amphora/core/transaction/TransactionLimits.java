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

  /** Two minutes, 100 a connection, 16 MiB each, 64 MiB together. */
  public static final TransactionLimits DEFAULT =
      new TransactionLimits(120_000, 100, 16L << 20, 64L << 20, 100_000);
}
