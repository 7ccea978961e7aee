package io.amphora.plugin.tagfilter.sql;

/** A text is no expression. The message says what is wrong and where. */
public final class SyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param position of the first character that does not fit, from 1
   */
  SyntaxException(String problem, int position) {
    super(problem + " at position " + position);
  }
}
