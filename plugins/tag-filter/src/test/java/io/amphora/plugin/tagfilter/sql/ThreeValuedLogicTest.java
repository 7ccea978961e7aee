package io.amphora.plugin.tagfilter.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.plugin.tagfilter.FakeMessage;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Conditions made at random, with as few parentheses as precedence allows, against a model. */
class ThreeValuedLogicTest {

  /** Truth as in the tables of SQL-92. */
  private enum Truth {
    FALSE,
    UNKNOWN,
    TRUE;

    Truth not() {
      return values()[2 - ordinal()];
    }
  }

  private enum Level {
    OR,
    AND,
    NOT,
    LEAF
  }

  private record Condition(String text, Level level, Truth truth) {
    String within(Level outer) {
      return level.ordinal() < outer.ordinal() ? "(" + text + ")" : text;
    }

    Condition and(Condition other) {
      Truth both = truth.ordinal() < other.truth.ordinal() ? truth : other.truth;
      return new Condition(within(Level.AND) + " AND " + other.within(Level.AND), Level.AND, both);
    }

    Condition or(Condition other) {
      Truth either = truth.ordinal() > other.truth.ordinal() ? truth : other.truth;
      return new Condition(within(Level.OR) + " OR " + other.within(Level.OR), Level.OR, either);
    }

    Condition not() {
      return new Condition("NOT " + within(Level.NOT), Level.NOT, truth.not());
    }
  }

  private static Condition leaf(String text, Truth truth) {
    return new Condition(text, Level.LEAF, truth);
  }

  @Provide
  Arbitrary<Condition> conditions() {
    Arbitrary<Condition> leaf =
        Arbitraries.of(
            leaf("TRUE", Truth.TRUE),
            leaf("n = 1", Truth.TRUE),
            leaf("n IN (1, 2)", Truth.TRUE),
            leaf("n BETWEEN 0 AND 1", Truth.TRUE),
            leaf("missing IS NULL", Truth.TRUE),
            leaf("FALSE", Truth.FALSE),
            leaf("n <> 1", Truth.FALSE),
            leaf("n = 'a'", Truth.FALSE),
            leaf("t LIKE 'b%'", Truth.FALSE),
            leaf("missing", Truth.UNKNOWN),
            leaf("missing = 1", Truth.UNKNOWN),
            leaf("missing LIKE 'a%'", Truth.UNKNOWN),
            leaf("missing IN ('a')", Truth.UNKNOWN),
            leaf("missing BETWEEN 1 AND 2", Truth.UNKNOWN),
            leaf("n + missing > 1", Truth.UNKNOWN));
    return Arbitraries.recursive(() -> leaf, ThreeValuedLogicTest::larger, 0, 5);
  }

  private static Arbitrary<Condition> larger(Arbitrary<Condition> smaller) {
    return Arbitraries.oneOf(
        smaller.map(Condition::not),
        Combinators.combine(smaller, smaller).as(Condition::and),
        Combinators.combine(smaller, smaller).as(Condition::or));
  }

  @Property(tries = 2000)
  void shouldAgreeWithTheTruthTables(@ForAll("conditions") Condition condition)
      throws SyntaxException {
    FakeMessage message = new FakeMessage().with("n", 1L).with("t", "abc");
    for (Dialect dialect : Dialect.values()) {
      assertThat(Sql.compile(dialect, condition.text()).matches(message))
          .as(condition.text())
          .isEqualTo(condition.truth() == Truth.TRUE);
      assertThat(Sql.compile(dialect, "NOT (" + condition.text() + ")").matches(message))
          .as("not: " + condition.text())
          .isEqualTo(condition.truth() == Truth.FALSE);
    }
  }
}
