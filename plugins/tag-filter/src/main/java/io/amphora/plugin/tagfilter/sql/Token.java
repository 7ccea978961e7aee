package io.amphora.plugin.tagfilter.sql;

/**
 * A piece of an expression.
 *
 * @param kind what it is
 * @param text a keyword or an operator as it is compared (upper case), a name, or the content of a
 *     literal
 * @param position of its first character, from 1
 */
record Token(Kind kind, String text, int position) {

  /** What a token is. */
  enum Kind {
    NAME,
    KEYWORD,
    STRING,
    NUMBER,
    OPERATOR,
    END
  }

  boolean is(Kind wanted, String what) {
    return kind == wanted && text.equals(what);
  }

  @Override
  public String toString() {
    return kind == Kind.END ? "the end" : "'" + text + "'";
  }
}
