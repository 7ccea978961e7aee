package io.amphora.boot;

import org.jspecify.annotations.Nullable;

/** The broker cannot start; the message is one line that tells the operator what to do. */
final class StartException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The environment is not as it must be: exit code 2. */
  static final int ENVIRONMENT = 2;

  /** The broker itself failed: exit code 1. */
  static final int FAILED = 1;

  private final int exitCode;

  StartException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  StartException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
