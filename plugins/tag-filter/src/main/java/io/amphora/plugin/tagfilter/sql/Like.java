package io.amphora.plugin.tagfilter.sql;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A string with wildcards: {@code %} for any characters, {@code _} for one. Unknown for an unknown
 * value, false for one that is no string. Goes back to the last {@code %} only, so that its cost is
 * the product of the lengths at most; what that may be is bounded by {@link Evaluation}.
 */
record Like(Expression value, int[] pattern) implements Expression {
  private static final int ONE = -1;
  private static final int MANY = -2;

  /** Compiles a pattern; {@code escape} makes the character behind it an ordinary one. */
  static Like of(Expression value, String text, OptionalInt escape) {
    int[] points = text.codePoints().toArray();
    int[] pattern = new int[points.length];
    int size = 0;
    for (int i = 0; i < points.length; i++) {
      int point = points[i];
      if (escape.isPresent() && point == escape.getAsInt() && i + 1 < points.length) {
        pattern[size++] = points[++i];
      } else {
        pattern[size++] = point == '%' ? MANY : point == '_' ? ONE : point;
      }
    }
    return new Like(value, java.util.Arrays.copyOf(pattern, size));
  }

  @Override
  public Kind kind() {
    return Kind.BOOLEAN;
  }

  @Override
  public @Nullable Object in(Evaluation evaluation) {
    Object text = value.in(evaluation);
    return text == null ? null : (Object) (text instanceof String s && matches(s, evaluation));
  }

  private boolean matches(String string, Evaluation evaluation) {
    evaluation.spend(1 + (string.length() >> 2));
    int[] text = string.codePoints().toArray();
    int at = 0;
    int step = 0;
    int many = -1;
    int retry = 0;
    while (at < text.length) {
      evaluation.spend(1);
      if (step < pattern.length && pattern[step] == MANY) {
        many = step++;
        retry = at;
      } else if (step < pattern.length && (pattern[step] == ONE || pattern[step] == text[at])) {
        step++;
        at++;
      } else if (many >= 0) {
        step = many + 1;
        at = ++retry;
      } else {
        return false;
      }
    }
    while (step < pattern.length && pattern[step] == MANY) {
      step++;
    }
    return step == pattern.length;
  }
}
