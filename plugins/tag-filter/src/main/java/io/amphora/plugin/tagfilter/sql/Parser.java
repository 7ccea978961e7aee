package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.tagfilter.sql.Expression.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Recursive descent, by rising precedence: OR, AND, NOT, comparison, sum, product, sign, value.
 * Depth and size of what it makes are bounded, because both are walked by recursion on an event
 * loop.
 */
final class Parser {

  /** Parentheses, NOT and signs within each other. */
  static final int MAX_DEPTH = 100;

  /** Operators of sums, products and comparisons in all. */
  static final int MAX_OPERATORS = 1000;

  private final Dialect dialect;
  private final List<Token> tokens;
  private int at;
  private int depth;
  private int operators;

  private Parser(Dialect dialect, List<Token> tokens) {
    this.dialect = dialect;
    this.tokens = tokens;
  }

  static Expression parse(Dialect dialect, String text) throws SyntaxException {
    Parser parser = new Parser(dialect, Lexer.tokens(text));
    Token first = parser.peek();
    Expression all = parser.or();
    if (parser.peek().kind() != Token.Kind.END) {
      throw parser.unexpected();
    }
    require(all, Kind.BOOLEAN, "a condition", first);
    return all;
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token take() {
    return tokens.get(at++);
  }

  private boolean takes(Token.Kind kind, String text) {
    boolean is = peek().is(kind, text);
    at += is ? 1 : 0;
    return is;
  }

  private boolean takesWord(String keyword) {
    return takes(Token.Kind.KEYWORD, keyword);
  }

  private boolean takesSign(String operator) {
    return takes(Token.Kind.OPERATOR, operator);
  }

  private void need(Token.Kind kind, String text) throws SyntaxException {
    if (!takes(kind, text)) {
      throw new SyntaxException("expected '" + text + "' instead of " + peek(), peek().position());
    }
  }

  private SyntaxException unexpected() {
    return new SyntaxException("unexpected " + peek(), peek().position());
  }

  private static void require(Expression part, Kind kind, String what, Token where)
      throws SyntaxException {
    if (part.kind() != Kind.ANY && part.kind() != kind) {
      throw new SyntaxException("expected " + what, where.position());
    }
  }

  private void enter() throws SyntaxException {
    if (++depth > MAX_DEPTH) {
      throw new SyntaxException("nested deeper than " + MAX_DEPTH, peek().position());
    }
  }

  private void countOperator() throws SyntaxException {
    if (++operators > MAX_OPERATORS) {
      throw new SyntaxException("more than " + MAX_OPERATORS + " operators", peek().position());
    }
  }

  // --- conditions

  private Expression or() throws SyntaxException {
    List<Expression> parts = new ArrayList<>();
    do {
      Token where = peek();
      parts.add(and());
      requireCondition(parts, "OR", where);
    } while (takesWord("OR"));
    return parts.size() == 1 ? parts.get(0) : new Logic.Or(List.copyOf(parts));
  }

  private Expression and() throws SyntaxException {
    List<Expression> parts = new ArrayList<>();
    do {
      Token where = peek();
      parts.add(not());
      requireCondition(parts, "AND", where);
    } while (takesWord("AND"));
    return parts.size() == 1 ? parts.get(0) : new Logic.And(List.copyOf(parts));
  }

  /** The part just read must be a condition when it is not the only one. */
  private void requireCondition(List<Expression> parts, String word, Token where)
      throws SyntaxException {
    if (parts.size() > 1 || peek().is(Token.Kind.KEYWORD, word)) {
      require(parts.get(parts.size() - 1), Kind.BOOLEAN, "a condition", where);
    }
  }

  private Expression not() throws SyntaxException {
    if (!takesWord("NOT")) {
      return comparisons();
    }
    enter();
    Token where = peek();
    Expression part = not();
    require(part, Kind.BOOLEAN, "a condition", where);
    depth--;
    return new Logic.Not(part);
  }

  private Expression comparisons() throws SyntaxException {
    Token where = peek();
    Expression left = sum();
    while (true) {
      Comparison.Operator operator = Comparison.Operator.of(peek());
      if (operator != null) {
        countOperator();
        left = compare(operator, left, where);
      } else if (peek().kind() == Token.Kind.KEYWORD && isTest(peek().text())) {
        countOperator();
        left = test(left, where);
      } else {
        return left;
      }
    }
  }

  private static boolean isTest(String keyword) {
    return switch (keyword) {
      case "NOT", "BETWEEN", "LIKE", "IN", "IS" -> true;
      default -> false;
    };
  }

  private Expression compare(Comparison.Operator operator, Expression left, Token where)
      throws SyntaxException {
    at++;
    Token second = peek();
    Expression right = sum();
    if (operator.orders()) {
      requireOrder(left, where);
      requireOrder(right, second);
    }
    return new Comparison(operator, left, right, dialect.ordersText);
  }

  private void requireOrder(Expression part, Token where) throws SyntaxException {
    if (part.kind() != Kind.STRING || !dialect.ordersText) {
      require(part, Kind.NUMBER, "a number", where);
    }
  }

  private Expression test(Expression left, Token where) throws SyntaxException {
    if (takesWord("IS")) {
      boolean not = takesWord("NOT");
      need(Token.Kind.KEYWORD, "NULL");
      requireField(left, where);
      return unless(not, new Logic.IsNull(left));
    }
    boolean not = takesWord("NOT");
    if (takesWord("BETWEEN")) {
      return unless(not, between(left, where));
    } else if (takesWord("LIKE")) {
      requireField(left, where);
      return unless(not, like(left));
    } else if (takesWord("IN")) {
      requireField(left, where);
      return unless(not, in(left));
    }
    throw unexpected();
  }

  private static Expression unless(boolean not, Expression part) {
    return not ? new Logic.Not(part) : part;
  }

  private void requireField(Expression left, Token where) throws SyntaxException {
    if (dialect.fieldsOnly && !(left instanceof Field)) {
      throw new SyntaxException("expected a name", where.position());
    }
  }

  /** The value is read twice: it has no effects. */
  private Expression between(Expression value, Token where) throws SyntaxException {
    Token second = peek();
    Expression low = sum();
    need(Token.Kind.KEYWORD, "AND");
    Token third = peek();
    Expression high = sum();
    requireOrder(value, where);
    requireOrder(low, second);
    requireOrder(high, third);
    return new Logic.And(
        List.of(
            new Comparison(Comparison.Operator.MORE_OR_EQUAL, value, low, dialect.ordersText),
            new Comparison(Comparison.Operator.LESS_OR_EQUAL, value, high, dialect.ordersText)));
  }

  private Expression like(Expression value) throws SyntaxException {
    String pattern = string();
    if (!takesWord("ESCAPE")) {
      return Like.of(value, pattern, OptionalInt.empty());
    }
    Token where = peek();
    int[] escape = string().codePoints().toArray();
    if (escape.length != 1) {
      throw new SyntaxException("expected one character", where.position());
    }
    return Like.of(value, pattern, OptionalInt.of(escape[0]));
  }

  private String string() throws SyntaxException {
    if (peek().kind() != Token.Kind.STRING) {
      throw new SyntaxException("expected a string instead of " + peek(), peek().position());
    }
    return take().text();
  }

  private Expression in(Expression value) throws SyntaxException {
    need(Token.Kind.OPERATOR, "(");
    List<Literal> constants = new ArrayList<>();
    do {
      Token where = peek();
      if (!(sign() instanceof Literal literal)) {
        throw new SyntaxException("expected a constant", where.position());
      }
      constants.add(literal);
    } while (takesSign(","));
    need(Token.Kind.OPERATOR, ")");
    return new Comparison.In(value, List.copyOf(constants));
  }

  // --- numbers

  private Expression sum() throws SyntaxException {
    Token where = peek();
    Expression left = product();
    while (isOneOf("+", "-")) {
      left = calculate(left, where, false);
    }
    return left;
  }

  private Expression product() throws SyntaxException {
    Token where = peek();
    Expression left = sign();
    while (isOneOf("*", "/") || (!dialect.fieldsOnly && isOneOf("%", "%"))) {
      left = calculate(left, where, true);
    }
    return left;
  }

  private boolean isOneOf(String first, String second) {
    return peek().is(Token.Kind.OPERATOR, first) || peek().is(Token.Kind.OPERATOR, second);
  }

  private Expression calculate(Expression left, Token where, boolean product)
      throws SyntaxException {
    countOperator();
    char operator = take().text().charAt(0);
    Token second = peek();
    Expression right = product ? sign() : product();
    require(left, Kind.NUMBER, "a number", where);
    require(right, Kind.NUMBER, "a number", second);
    return new Arithmetic(operator, left, right);
  }

  private Expression sign() throws SyntaxException {
    boolean minus = peek().is(Token.Kind.OPERATOR, "-");
    if (!minus && !peek().is(Token.Kind.OPERATOR, "+")) {
      return value(false);
    }
    at++;
    if (peek().kind() == Token.Kind.NUMBER) {
      return value(minus);
    }
    enter();
    Token where = peek();
    Expression part = sign();
    require(part, Kind.NUMBER, "a number", where);
    depth--;
    // Nothing but a number has a sign: 0 + x is unknown for anything else.
    return new Arithmetic(minus ? '-' : '+', Literal.of(0L), part);
  }

  private Expression value(boolean minus) throws SyntaxException {
    Token token = take();
    return switch (token.kind()) {
      case NUMBER -> Literal.of(NumberLiteral.read(token, minus));
      case STRING -> Literal.of(token.text());
      case NAME -> new Field(dialect.field(token));
      case KEYWORD, OPERATOR, END -> inner(token);
    };
  }

  private Expression inner(Token token) throws SyntaxException {
    if (token.is(Token.Kind.KEYWORD, "TRUE") || token.is(Token.Kind.KEYWORD, "FALSE")) {
      return Literal.of(token.text().equals("TRUE"));
    }
    if (!token.is(Token.Kind.OPERATOR, "(")) {
      at--;
      throw unexpected();
    }
    enter();
    Expression inner = or();
    need(Token.Kind.OPERATOR, ")");
    depth--;
    return inner;
  }
}
