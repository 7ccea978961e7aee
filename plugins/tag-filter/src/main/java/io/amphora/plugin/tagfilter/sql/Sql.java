package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.DeliveryFilter;

/** Compiles selectors. */
public final class Sql {

  /** Longest text, characters. */
  public static final int MAX_LENGTH = 8192;

  private Sql() {}

  /**
   * Compiles an expression; a message matches when it is true, not when it is unknown. An empty one
   * matches all.
   *
   * @throws SyntaxException when it is none; the message names the position
   */
  public static DeliveryFilter compile(Dialect dialect, String text) throws SyntaxException {
    if (text.length() > MAX_LENGTH) {
      throw new SyntaxException("longer than " + MAX_LENGTH + " characters", MAX_LENGTH + 1);
    }
    if (text.isBlank()) {
      return message -> true;
    }
    Expression condition = Parser.parse(dialect, text);
    return message -> Boolean.TRUE.equals(condition.in(new Evaluation(message)));
  }
}
