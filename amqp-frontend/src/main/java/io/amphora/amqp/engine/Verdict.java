package io.amphora.amqp.engine;

import org.apache.qpid.proton.amqp.Symbol;

/** What to do with a frame that was checked. */
sealed interface Verdict {

  /** The engine may see it. */
  record Pass() implements Verdict {}

  /** It is ignored. */
  record Drop() implements Verdict {}

  /** The connection ends. */
  record CloseConnection(Symbol condition, String description) implements Verdict {}

  /** The session ends. */
  record EndSession(Symbol condition, String description) implements Verdict {}

  /** The link ends. */
  record DetachLink(LinkState link, Symbol condition, String description) implements Verdict {}

  Verdict PASS = new Pass();
  Verdict DROP = new Drop();
}
