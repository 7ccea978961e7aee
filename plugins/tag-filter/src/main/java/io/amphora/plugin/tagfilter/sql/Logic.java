package io.amphora.plugin.tagfilter.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Three-valued logic: true, false and null for unknown. What is not boolean is unknown. */
final class Logic {

  private Logic() {}

  private static @Nullable Boolean truth(@Nullable Object value) {
    return value instanceof Boolean known ? known : null;
  }

  /** False when one is, else unknown when one is. */
  record And(List<Expression> parts) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOLEAN;
    }

    @Override
    public @Nullable Object in(Evaluation evaluation) {
      boolean unknown = false;
      for (Expression part : parts) {
        Boolean truth = truth(part.in(evaluation));
        if (Boolean.FALSE.equals(truth)) {
          return false;
        }
        unknown |= truth == null;
      }
      return unknown ? null : true;
    }
  }

  /** True when one is, else unknown when one is. */
  record Or(List<Expression> parts) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOLEAN;
    }

    @Override
    public @Nullable Object in(Evaluation evaluation) {
      boolean unknown = false;
      for (Expression part : parts) {
        Boolean truth = truth(part.in(evaluation));
        if (Boolean.TRUE.equals(truth)) {
          return true;
        }
        unknown |= truth == null;
      }
      return unknown ? null : false;
    }
  }

  /** Unknown stays unknown. */
  record Not(Expression part) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOLEAN;
    }

    @Override
    public @Nullable Object in(Evaluation evaluation) {
      Boolean truth = truth(part.in(evaluation));
      return truth == null ? null : (Object) !truth;
    }
  }

  /** Never unknown. */
  record IsNull(Expression part) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOLEAN;
    }

    @Override
    public Object in(Evaluation evaluation) {
      return part.in(evaluation) == null;
    }
  }
}
