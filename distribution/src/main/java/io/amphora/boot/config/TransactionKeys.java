package io.amphora.boot.config;

import io.amphora.core.transaction.TransactionLimits;
import java.util.List;

/** Settings of transactions. */
public final class TransactionKeys {

  public static final ConfigKey<Long> TIMEOUT =
      ConfigKey.of(
          "transactions.timeout",
          ValueTypes.duration("1s", "1h"),
          "2m",
          "A transaction that is open for longer is rolled back.");

  public static final ConfigKey<Integer> OPEN =
      ConfigKey.of(
          "transactions.max-open",
          ValueTypes.integer(1, 10_000),
          "100",
          "Transactions that one connection may have open.");

  public static final ConfigKey<Long> BYTES =
      ConfigKey.of(
          "transactions.max-bytes",
          ValueTypes.bytes("64KiB", "64MiB"),
          "16MiB",
          "Most bytes of messages in one transaction: they are kept in memory until it ends. Those"
              + " of all transactions together have an eighth of the heap.");

  static final List<ConfigKey<?>> KEYS = List.of(TIMEOUT, OPEN, BYTES);

  private TransactionKeys() {}

  /**
   * The room's record.
   *
   * @param nodeBytes most bytes of all transactions
   */
  static TransactionLimits limits(Config config, long nodeBytes) {
    return new TransactionLimits(
        config.get(TIMEOUT),
        config.get(OPEN),
        Math.min(nodeBytes, config.get(BYTES)),
        nodeBytes,
        TransactionLimits.DEFAULT.outcomes());
  }
}
