package io.amphora.amqp.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.FakeFilters;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.filter.MemberFilter;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceFiltersTest {

  private static final SourceFilters FILTERS = new SourceFilters(List.of(new FakeFilters()));
  private static final long NOW = 1_000_000_000_000L;
  private static final String SELECTOR = "apache.org:selector-filter:string";

  private static Object described(Object descriptor, Object value) {
    return new Wire.Described(descriptor, value);
  }

  private static Object selector(String text) {
    return described(Symbol.valueOf(SELECTOR), text);
  }

  private static SourceFilters.Result read(Object key, Object value) {
    Map<Object, Object> filters = new HashMap<>();
    filters.put(key, value);
    return FILTERS.read(filters, "me", NOW);
  }

  private static StartPosition start(Object value) {
    SourceFilters.Result result = read(Symbol.valueOf("mine"), value);
    SourceFilters.InForce inForce = (SourceFilters.InForce) result;
    assertThat(inForce.echo()).isEqualTo(Map.of(Symbol.valueOf("mine"), value));
    return inForce.start().orElseThrow();
  }

  private static StartPosition.AtOffset at(long offset) {
    return new StartPosition.AtOffset(offset);
  }

  @Test
  void shouldReadStreamOffsets() {
    Symbol name = Symbol.valueOf("rabbitmq:stream-offset-spec");
    assertThat(start(described(name, "first"))).isEqualTo(StartPosition.EARLIEST);
    assertThat(start(described(name, "last"))).isEqualTo(StartPosition.LAST);
    assertThat(start(described(name, "next"))).isEqualTo(StartPosition.LATEST);
    assertThat(start(described(name, UnsignedLong.valueOf(5)))).isEqualTo(at(5));
    assertThat(start(described(name, 6L))).isEqualTo(at(6));
    assertThat(start(described(name, new Date(7)))).isEqualTo(new StartPosition.AtTime(7));
    assertThat(start(described(name, "10m"))).isEqualTo(new StartPosition.AtTime(NOW - 600_000));
    assertThat(start(described(name, "2D")))
        .isEqualTo(new StartPosition.AtTime(NOW - 2 * 86_400_000L));
  }

  @Test
  void shouldReadOurOwnStart() {
    Symbol name = Symbol.valueOf("amphora:start");
    assertThat(start(described(name, Symbol.valueOf("earliest"))))
        .isEqualTo(StartPosition.EARLIEST);
    assertThat(start(described(name, "latest"))).isEqualTo(StartPosition.LATEST);
    assertThat(start(described(name, 3))).isEqualTo(at(3));
    assertThat(start(described(name, new Date(4)))).isEqualTo(new StartPosition.AtTime(4));
  }

  @Test
  void shouldReadEventHubsExpressions() {
    assertThat(start(selector("amqp.annotation.x-opt-offset > '41'"))).isEqualTo(at(42));
    assertThat(start(selector("amqp.annotation.x-opt-offset >= '41'"))).isEqualTo(at(41));
    assertThat(start(selector("amqp.annotation.x-opt-offset > 41"))).isEqualTo(at(42));
    assertThat(start(selector("amqp.annotation.x-opt-sequence-number >'0'"))).isEqualTo(at(1));
    assertThat(start(selector("amqp.annotation.x-opt-offset > '-1'")))
        .isEqualTo(StartPosition.EARLIEST);
    assertThat(start(selector("amqp.annotation.x-opt-offset >= -1")))
        .isEqualTo(StartPosition.EARLIEST);
    assertThat(start(selector("amqp.annotation.x-opt-offset > @latest")))
        .isEqualTo(StartPosition.LATEST);
    assertThat(start(selector("amqp.annotation.x-opt-enqueued-time > '1500000000000'")))
        .isEqualTo(new StartPosition.AtTime(1_500_000_000_001L));
    assertThat(start(selector("amqp.annotation.x-opt-enqueued-time >= '5'")))
        .isEqualTo(new StartPosition.AtTime(5));
  }

  @Test
  void shouldKnowEveryDescriptorOfASelector() {
    for (Object descriptor :
        List.of(
            Symbol.valueOf(SELECTOR),
            UnsignedLong.valueOf(0x468C00000004L),
            UnsignedLong.valueOf(0x137000000AL))) {
      assertThat(start(described(descriptor, "amqp.annotation.x-opt-offset > '1'")))
          .isEqualTo(at(2));
    }
  }

  @Test
  void shouldLookAtTheKeyOnlyWithoutADescriptor() {
    String expression = "amqp.annotation.x-opt-offset > '1'";
    for (Object key : List.of(Symbol.valueOf(SELECTOR), Symbol.valueOf("selector"), "selector")) {
      SourceFilters.InForce bare = (SourceFilters.InForce) read(key, expression);
      assertThat(bare.start()).contains(at(2));
      assertThat(bare.echo()).containsEntry(Symbol.valueOf(key.toString()), expression);
    }
    Object other = described(Symbol.valueOf("other:filter"), expression);
    assertThat(((SourceFilters.InForce) read(Symbol.valueOf(SELECTOR), other)).start()).isEmpty();
  }

  @Test
  void shouldLeaveOutWhatItDoesNotKnow() {
    Map<Object, Object> filters = new HashMap<>();
    Object known = described(Symbol.valueOf("amphora:start"), "latest");
    filters.put(Symbol.valueOf("jms-selector"), selector("color = 'red'"));
    filters.put(Symbol.valueOf("no-local"), described(UnsignedLong.valueOf(3), "x"));
    filters.put(Symbol.valueOf("nothing"), null);
    filters.put(Symbol.valueOf("start"), known);
    assertThat(FILTERS.read(filters, "me", NOW))
        .isEqualTo(
            new SourceFilters.InForce(
                Optional.of(StartPosition.LATEST),
                MemberFilter.ALL,
                Map.of(Symbol.valueOf("start"), known)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amqp.annotation.x-opt-offset",
        "amqp.annotation.x-opt-offset < '1'",
        "amqp.annotation.x-opt-offset > ''",
        "amqp.annotation.x-opt-offset > '1",
        "amqp.annotation.x-opt-offset > 'abc'",
        "amqp.annotation.x-opt-offset > '1' or true",
        "amqp.annotation.x-opt-offset > '-2'",
        "amqp.annotation.x-opt-offset > '99999999999999999999'",
        "amqp.annotation.x-opt-unknown > '1'"
      })
  void shouldRefuseMalformedExpressions(String expression) {
    assertThat(read(Symbol.valueOf("f"), selector(expression)))
        .isInstanceOf(SourceFilters.Malformed.class);
  }

  @Test
  void shouldRefuseMalformedValues() {
    for (Object value : List.of("middle", "10x", -1L, UnsignedLong.valueOf(-1L), 1.5, true)) {
      Object spec = described(Symbol.valueOf("rabbitmq:stream-offset-spec"), value);
      assertThat(read(Symbol.valueOf("f"), spec)).isInstanceOf(SourceFilters.Malformed.class);
      Object start = described(Symbol.valueOf("amphora:start"), value);
      assertThat(read(Symbol.valueOf("f"), start)).isInstanceOf(SourceFilters.Malformed.class);
    }
    assertThat(read(Symbol.valueOf("f"), described(Symbol.valueOf(SELECTOR), 5)))
        .isInstanceOf(SourceFilters.Malformed.class);
  }

  @Test
  void shouldRefuseTwoStarts() {
    Map<Object, Object> filters = new HashMap<>();
    filters.put(Symbol.valueOf("a"), described(Symbol.valueOf("amphora:start"), "latest"));
    filters.put(Symbol.valueOf("b"), selector("amqp.annotation.x-opt-offset > '1'"));
    assertThat(FILTERS.read(filters, "me", NOW)).isInstanceOf(SourceFilters.Malformed.class);
  }

  // --- of plugins

  private static final UnsignedLong COLOR = UnsignedLong.valueOf(0x7001);

  private static SourceFilters.InForce inForce(Map<?, ?> filters, String container) {
    return (SourceFilters.InForce) FILTERS.read(filters, container, NOW);
  }

  @Test
  void shouldKnowFiltersOfPluginsInAllForms() {
    for (Object value :
        List.of(described(COLOR, "red"), described(Symbol.valueOf("test:color"), "red"))) {
      SourceFilters.InForce inForce = inForce(Map.of(Symbol.valueOf("mine"), value), "me");
      assertThat(inForce.wanted().text()).isEqualTo("{test:color=red}");
      assertThat(inForce.echo()).isEqualTo(Map.of(Symbol.valueOf("mine"), value));
    }
    SourceFilters.InForce bare = inForce(Map.of(Symbol.valueOf("color"), "red"), "me");
    assertThat(bare.wanted().text()).isEqualTo("{test:color=red}");
    assertThat(bare.echo()).isEqualTo(Map.of(Symbol.valueOf("color"), "red"));
    Object other = described(Symbol.valueOf("other"), "red");
    assertThat(inForce(Map.of(Symbol.valueOf("color"), other), "me").wanted().isAll()).isTrue();
  }

  @Test
  void shouldTakeAStartAndAFilterTogether() {
    Object start = described(Symbol.valueOf("amphora:start"), "earliest");
    SourceFilters.InForce both =
        inForce(
            Map.of(Symbol.valueOf("a"), start, Symbol.valueOf("b"), described(COLOR, "red")), "me");
    assertThat(both.start()).contains(StartPosition.EARLIEST);
    assertThat(both.wanted().isAll()).isFalse();
    assertThat(both.echo()).hasSize(2);
  }

  @Test
  void shouldShareAFilterUnlessItDependsOnTheConnection() {
    Map<Symbol, Object> red = Map.of(Symbol.valueOf("f"), described(COLOR, "red"));
    assertThat(inForce(red, "one").wanted().text()).isEqualTo(inForce(red, "two").wanted().text());
    Object foreign = described(UnsignedLong.valueOf(0x7002), List.of());
    Map<Symbol, Object> own = Map.of(Symbol.valueOf("f"), foreign);
    assertThat(inForce(own, "one").wanted().text())
        .isNotEqualTo(inForce(own, "two").wanted().text());
  }

  private static String malformed(Map<?, ?> filters) {
    return ((SourceFilters.Malformed) FILTERS.read(filters, "me", NOW)).reason();
  }

  @Test
  void shouldRefuseWhatAPluginRefuses() {
    assertThat(malformed(Map.of(Symbol.valueOf("f"), described(COLOR, "bad"))))
        .isEqualTo("filter test:color: unexpected 'b' at position 1");
    assertThat(malformed(Map.of(Symbol.valueOf("f"), described(COLOR, "throw"))))
        .contains("cannot be compiled");
    assertThat(malformed(Map.of(Symbol.valueOf("f"), described(COLOR, null))))
        .isEqualTo("filter f: has no value");
    Object second = described(Symbol.valueOf("test:color"), "red");
    assertThat(
            malformed(
                Map.of(Symbol.valueOf("f"), described(COLOR, "red"), Symbol.valueOf("g"), second)))
        .contains("is there twice");
  }
}
