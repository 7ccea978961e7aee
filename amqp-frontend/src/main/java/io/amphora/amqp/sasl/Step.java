package io.amphora.amqp.sasl;

/** What the server does after a response. */
sealed interface Step {

  /** The client has to answer this. */
  record Challenge(byte[] content) implements Step {}

  /** The client is who it says. */
  record Accepted(Identity identity) implements Step {}

  /** It is not, or nobody can tell now. */
  record Refused(Code code) implements Step {}

  /** Outcome codes (part 5, section 5.3.3.6); clients give up at 1 and try again at 4. */
  enum Code {
    OK(0),
    AUTH(1),
    TEMPORARY(4);

    final int value;

    Code(int value) {
      this.value = value;
    }
  }
}
