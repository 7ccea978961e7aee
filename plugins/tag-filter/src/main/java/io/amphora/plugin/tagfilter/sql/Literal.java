package io.amphora.plugin.tagfilter.sql;

/**
 * A constant.
 *
 * @param value never null
 */
record Literal(Kind kind, Object value) implements Expression {

  static Literal of(boolean value) {
    return new Literal(Kind.BOOLEAN, value);
  }

  static Literal of(Number value) {
    return new Literal(Kind.NUMBER, value);
  }

  static Literal of(String value) {
    return new Literal(Kind.STRING, value);
  }

  @Override
  public Object in(Evaluation evaluation) {
    return value;
  }
}
