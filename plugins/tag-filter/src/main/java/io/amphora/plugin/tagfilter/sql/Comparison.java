package io.amphora.plugin.tagfilter.sql;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares two values. Unknown when one is; false when they are of different types, also for {@code
 * <>} (JMS 3.1, section 3.8.1.1).
 *
 * @param ordersText whether strings have an order; in JMS they have none
 */
record Comparison(Operator operator, Expression left, Expression right, boolean ordersText)
    implements Expression {

  private static final Comparison SAME =
      new Comparison(Operator.EQUAL, Literal.of(true), Literal.of(true), false);

  /** What is asked. */
  enum Operator {
    EQUAL("="),
    DIFFERENT("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    MORE(">"),
    MORE_OR_EQUAL(">=");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    static @Nullable Operator of(Token token) {
      return token.kind() != Token.Kind.OPERATOR
          ? null
          : Arrays.stream(values())
              .filter(each -> each.sign.equals(token.text()))
              .findFirst()
              .orElse(null);
    }

    boolean orders() {
      return this != EQUAL && this != DIFFERENT;
    }

    /** For values of one type whose order is this. */
    boolean holds(int order) {
      return switch (this) {
        case EQUAL -> order == 0;
        case DIFFERENT -> order != 0;
        case LESS -> order < 0;
        case LESS_OR_EQUAL -> order <= 0;
        case MORE -> order > 0;
        case MORE_OR_EQUAL -> order >= 0;
      };
    }
  }

  @Override
  public Kind kind() {
    return Kind.BOOLEAN;
  }

  @Override
  public @Nullable Object in(Evaluation evaluation) {
    Object first = left.in(evaluation);
    Object second = first == null ? null : right.in(evaluation);
    return first == null || second == null ? null : (Object) holds(first, second, evaluation);
  }

  private boolean holds(Object first, Object second, Evaluation evaluation) {
    evaluation.spend(1);
    if (first instanceof Number one && second instanceof Number other) {
      return numbers(one, other);
    }
    if (first instanceof String one && second instanceof String other) {
      evaluation.spend(Math.min(one.length(), other.length()) >> 4);
      boolean comparable = ordersText || !operator.orders();
      return comparable && operator.holds(one.compareTo(other));
    }
    if (operator.orders()) {
      return false;
    }
    if (first instanceof byte[] one && second instanceof byte[] other) {
      return operator.holds(Arrays.equals(one, other) ? 0 : 1);
    }
    return first.getClass() == second.getClass() && operator.holds(first.equals(second) ? 0 : 1);
  }

  /** By Java's rules of promotion; nothing equals NaN. */
  private boolean numbers(Number one, Number other) {
    if (one instanceof Long && other instanceof Long) {
      return operator.holds(Long.compare(one.longValue(), other.longValue()));
    }
    double first = one.doubleValue();
    double second = other.doubleValue();
    if (Double.isNaN(first) || Double.isNaN(second)) {
      return operator == Operator.DIFFERENT;
    }
    return operator.holds(first == second ? 0 : first < second ? -1 : 1);
  }

  /** One of several constants; unknown when the value is. */
  record In(Expression value, List<Literal> constants) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOLEAN;
    }

    @Override
    public @Nullable Object in(Evaluation evaluation) {
      Object wanted = value.in(evaluation);
      if (wanted == null) {
        return null;
      }
      for (Literal each : constants) {
        if (SAME.holds(wanted, each.value(), evaluation)) {
          return true;
        }
      }
      return false;
    }
  }
}
