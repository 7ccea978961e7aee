package io.amphora.wal;

/** What an asynchronous request to the log came to. */
public sealed interface WalResult<T> {

  /** It succeeded. */
  record Ok<T>(T value) implements WalResult<T> {}

  /** It failed; nothing was changed unless the error says so. */
  record Failed<T>(WalException error) implements WalResult<T> {}

  /** The value, or throws the error. */
  default T orThrow() {
    if (this instanceof Ok<T> ok) {
      return ok.value();
    }
    throw ((Failed<T>) this).error();
  }
}
