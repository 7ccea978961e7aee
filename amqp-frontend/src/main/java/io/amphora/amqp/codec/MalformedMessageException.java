package io.amphora.amqp.codec;

/** A message that is no AMQP message: it is rejected, the link goes on. */
public final class MalformedMessageException extends Exception {

  private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message) {
    super(message, null, false, false);
  }
}
