package io.amphora.boot.chaos;

import org.jspecify.annotations.Nullable;

/** Moves messages from A to B and C, one transaction each, until its connection breaks. */
interface TransactionMover extends Runnable {

  /** What it met that a kill of the broker does not explain. */
  @Nullable Throwable surprise();
}
