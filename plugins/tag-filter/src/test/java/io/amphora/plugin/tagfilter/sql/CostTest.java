package io.amphora.plugin.tagfilter.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.plugin.DeliveryFilter;
import io.amphora.plugin.tagfilter.FakeMessage;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** What a selector may cost, counted in steps. */
class CostTest {

  private static FakeMessage text(int length) {
    return new FakeMessage().with("t", "a".repeat(length));
  }

  /** A regular expression would go back over every wildcard. */
  @Test
  void shouldNotGoBackOverEveryWildcard() throws SyntaxException {
    DeliveryFilter filter = Sql.compile(Dialect.JMS, "t LIKE '" + "%a".repeat(30) + "%b'");
    assertThat(filter.matches(text(10_000))).isFalse();
  }

  @Test
  void shouldGiveUpOnAnEvaluationThatTakesTooLong() throws SyntaxException {
    DeliveryFilter filter = Sql.compile(Dialect.JMS, "t LIKE '%" + "a".repeat(500) + "b'");
    assertThat(filter.matches(text(1_000))).isFalse();
    assertThatThrownBy(() -> filter.matches(text(100_000)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1000000 steps");
  }

  @Test
  void shouldCountAllPartsOfASelectorTogether() throws SyntaxException {
    String one = "t LIKE '%a%b'";
    DeliveryFilter filter = Sql.compile(Dialect.JMS, one + (" OR " + one).repeat(300));
    assertThat(filter.matches(text(100))).isFalse();
    assertThatThrownBy(() -> filter.matches(text(10_000))).hasMessageContaining("steps");
    DeliveryFilter equal = Sql.compile(Dialect.JMS, "t = t" + " AND t = t".repeat(700));
    assertThat(equal.matches(text(100))).isTrue();
    assertThatThrownBy(() -> equal.matches(text(1 << 20))).hasMessageContaining("steps");
  }

  @Test
  void shouldBoundLengthDepthAndSize() throws SyntaxException {
    String deep = "(".repeat(100) + "TRUE" + ")".repeat(100);
    assertThat(Sql.compile(Dialect.JMS, deep).matches(text(1))).isTrue();
    refused("(" + deep + ")", "nested deeper than 100 at position 102");
    refused("NOT ".repeat(101) + "TRUE", "nested deeper than 100 at position 405");
    refused("- ".repeat(101) + "t = 1", "nested deeper than 100 at position 203");
    assertThat(Sql.compile(Dialect.JMS, "t = 0" + " + 1".repeat(999)).matches(text(1))).isFalse();
    refused("t = 0" + " + 1".repeat(1000), "more than 1000 operators at position 4003");
    refused("t = '" + "a".repeat(8192) + "'", "longer than 8192 characters at position 8193");
    String wide = "t = 'x'" + " OR t = 'a'".repeat(700);
    assertThat(Sql.compile(Dialect.JMS, wide).matches(text(1))).isTrue();
  }

  private static void refused(String selector, String problem) {
    assertThatThrownBy(() -> Sql.compile(Dialect.JMS, selector)).hasMessage(problem);
  }

  @Property(tries = 2000)
  void shouldMatchWhatARegularExpressionMatches(
      @ForAll @Chars({'a', 'b', '%', '_'}) @StringLength(max = 8) String pattern,
      @ForAll @Chars({'a', 'b', '\n'}) @StringLength(max = 8) String text)
      throws SyntaxException {
    String regex = pattern.replace("%", ".*").replace("_", ".");
    assertThat(
            Sql.compile(Dialect.JMS, "t LIKE '" + pattern + "'")
                .matches(new FakeMessage().with("t", text)))
        .isEqualTo(Pattern.compile(regex, Pattern.DOTALL).matcher(text).matches());
  }
}
