package io.amphora.core;

/** An error with a stable code and a message a person can act on. */
public final class BrokerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public BrokerException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  public BrokerException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
