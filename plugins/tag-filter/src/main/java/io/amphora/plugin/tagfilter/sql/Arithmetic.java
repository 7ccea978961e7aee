package io.amphora.plugin.tagfilter.sql;

import org.jspecify.annotations.Nullable;

/**
 * Calculates as Java does; unknown when an operand is, or is no number, or when an integer is
 * divided by zero.
 *
 * @param operator one of {@code + - * / %}
 */
record Arithmetic(char operator, Expression left, Expression right) implements Expression {

  @Override
  public Kind kind() {
    return Kind.NUMBER;
  }

  @Override
  public @Nullable Object in(Evaluation evaluation) {
    evaluation.spend(1);
    Object first = left.in(evaluation);
    Object second = right.in(evaluation);
    if (first instanceof Long one && second instanceof Long other) {
      return exact(one, other);
    }
    return first instanceof Number one && second instanceof Number other
        ? (Object) approximate(one.doubleValue(), other.doubleValue())
        : null;
  }

  private @Nullable Long exact(long one, long other) {
    return switch (operator) {
      case '+' -> one + other;
      case '-' -> one - other;
      case '*' -> one * other;
      case '/' -> other == 0 ? null : (Long) (one / other);
      default -> other == 0 ? null : (Long) (one % other);
    };
  }

  private double approximate(double one, double other) {
    return switch (operator) {
      case '+' -> one + other;
      case '-' -> one - other;
      case '*' -> one * other;
      case '/' -> one / other;
      default -> one % other;
    };
  }
}
