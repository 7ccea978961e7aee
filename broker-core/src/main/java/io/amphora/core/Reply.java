package io.amphora.core;

/** What an asynchronous request to the core came to. */
public sealed interface Reply<T> {

  /** It succeeded. */
  record Ok<T>(T value) implements Reply<T> {}

  /** It failed. */
  record Failed<T>(BrokerException error) implements Reply<T> {}

  static <T> Reply<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> Reply<T> failed(ErrorCode code, String message) {
    return new Failed<>(new BrokerException(code, message));
  }

  /** The value, or throws the error. */
  default T orThrow() {
    if (this instanceof Ok<T> ok) {
      return ok.value();
    }
    throw ((Failed<T>) this).error();
  }
}
