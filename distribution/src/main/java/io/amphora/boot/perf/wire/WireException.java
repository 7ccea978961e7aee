package io.amphora.boot.perf.wire;

/** A connection could not be used, or no longer. The message is one line for a person. */
public final class WireException extends Exception {

  private static final long serialVersionUID = 1L;

  /** How far it came. */
  public enum Stage {
    /** Nobody is at the address, or it is no AMQP broker. */
    CONNECT,
    /** The user was not let in. */
    LOGIN,
    /** The link was refused, or ended by the broker. */
    LINK,
    /** The connection ended, or nothing moves on it. */
    CONNECTION
  }

  private final Stage stage;

  /** With the cause, if there is one, already in the message. */
  public WireException(Stage stage, String message) {
    super(message);
    this.stage = stage;
  }

  public Stage stage() {
    return stage;
  }
}
