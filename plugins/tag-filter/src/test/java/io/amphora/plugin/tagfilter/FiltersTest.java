package io.amphora.plugin.tagfilter;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.plugin.DeliveryFilterFactory;
import io.amphora.plugin.FilterDescriptor;
import io.amphora.plugin.FilterRequest;
import io.amphora.plugin.FilterResult;
import io.amphora.plugin.MessageProperty;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiltersTest {

  private static FilterResult compile(DeliveryFilterFactory factory, String name, Object value) {
    return factory.compile(new FilterRequest(Map.of(name, value), "me"));
  }

  private static boolean matches(
      DeliveryFilterFactory factory, String name, Object value, FakeMessage message) {
    return ((FilterResult.Compiled) compile(factory, name, value)).filter().matches(message);
  }

  private static String refusal(DeliveryFilterFactory factory, String name, Object value) {
    return ((FilterResult.Refused) compile(factory, name, value)).reason();
  }

  @Test
  void shouldBeFoundWithAllDescriptors() {
    Map<String, Set<Long>> found =
        ServiceLoader.load(DeliveryFilterFactory.class).stream()
            .flatMap(each -> each.get().serves().stream())
            .collect(Collectors.toMap(FilterDescriptor::symbol, FilterDescriptor::codes));
    assertThat(found)
        .containsOnly(
            Map.entry("apache.org:selector-filter:string", Set.of(0x468C00000004L, 0x137000000AL)),
            Map.entry("apache.org:no-local-filter:list", Set.of(0x468C00000003L)),
            Map.entry("amqp:sql-filter", Set.of(0x120L)),
            Map.entry("amqp:properties-filter", Set.of(0x173L)),
            Map.entry("amqp:application-properties-filter", Set.of(0x174L)),
            Map.entry("rabbitmq:stream-filter", Set.of()),
            Map.entry("rabbitmq:stream-match-unfiltered", Set.of()),
            Map.entry("amphora:tags", Set.of()));
  }

  // --- selectors

  @Test
  void shouldCombineSelectorAndSql() {
    FilterResult both =
        new SelectorFilters()
            .compile(
                new FilterRequest(
                    Map.of(
                        "apache.org:selector-filter:string", "JMSType = 'a'",
                        "amqp:sql-filter", "p.to = 'b'"),
                    "me"));
    FakeMessage message = new FakeMessage().with(MessageProperty.SUBJECT, "a");
    assertThat(((FilterResult.Compiled) both).filter().matches(message)).isFalse();
    message.with(MessageProperty.TO, "b");
    assertThat(((FilterResult.Compiled) both).filter().matches(message)).isTrue();
  }

  @Test
  void shouldSayWhichSelectorIsWrongAndWhere() {
    assertThat(refusal(new SelectorFilters(), "amqp:sql-filter", "p.to ="))
        .isEqualTo("amqp:sql-filter: unexpected the end at position 7");
    assertThat(refusal(new SelectorFilters(), "amqp:sql-filter", 5L))
        .isEqualTo("amqp:sql-filter is not a string");
  }

  @Test
  void shouldKeepAwayWhatTheConnectionSentItself() {
    FilterResult result =
        compile(new NoLocalFilters(), "apache.org:no-local-filter:list", "NoLocalFilter{}");
    FilterResult.Compiled compiled = (FilterResult.Compiled) result;
    assertThat(compiled.perContainer()).isTrue();
    FakeMessage message = new FakeMessage();
    assertThat(compiled.filter().matches(message)).isTrue();
    message.sender = "me";
    assertThat(compiled.filter().matches(message)).isFalse();
  }

  // --- properties

  private static final String PROPERTIES = "amqp:properties-filter";
  private static final String APPLICATION = "amqp:application-properties-filter";

  private static boolean matches(Map<?, ?> filter, FakeMessage message) {
    return matches(new PropertyFilters(), APPLICATION, filter, message);
  }

  @Test
  void shouldMatchAllProperties() {
    FakeMessage message =
        new FakeMessage()
            .with(MessageProperty.SUBJECT, "invoice")
            .with(MessageProperty.MESSAGE_ID, 5L)
            .with(MessageProperty.CREATION_TIME, Instant.ofEpochMilli(7))
            .with(MessageProperty.USER_ID, new byte[] {1});
    PropertyFilters filters = new PropertyFilters();
    assertThat(matches(filters, PROPERTIES, Map.of("subject", "invoice"), message)).isTrue();
    assertThat(
            matches(filters, PROPERTIES, Map.of("subject", "invoice", "message-id", 5L), message))
        .isTrue();
    assertThat(
            matches(filters, PROPERTIES, Map.of("subject", "invoice", "message-id", 6L), message))
        .isFalse();
    assertThat(
            matches(
                filters,
                PROPERTIES,
                Map.of("creation-time", Instant.ofEpochMilli(7), "user-id", new byte[] {1}),
                message))
        .isTrue();
    assertThat(matches(filters, PROPERTIES, Collections.singletonMap("to", null), message))
        .isTrue();
    assertThat(matches(filters, PROPERTIES, Map.of("to", "x"), message)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "&p:in, true",
    "&p:out, false",
    "&s:ice, true",
    "&s:in, false",
    "&p:, true",
    "&&p:in, false",
    "invoice, true",
    "invoic, false",
  })
  void shouldKnowPrefixesAndSuffixes(String value, boolean expected) {
    FakeMessage message = new FakeMessage().with("kind", "invoice");
    assertThat(matches(Map.of("kind", value), message)).isEqualTo(expected);
  }

  @Test
  void shouldTakeADoubledAmpersandForOne() {
    FakeMessage message = new FakeMessage().with("kind", "&p:x");
    assertThat(matches(Map.of("kind", "&&p:x"), message)).isTrue();
    assertThat(matches(Map.of("kind", "&p:x"), message)).isFalse();
  }

  @Test
  void shouldCompareNumbersByValue() {
    FakeMessage message = new FakeMessage().with("n", 5L).with("d", 5.0).with("t", "5");
    assertThat(matches(Map.of("n", 5L, "d", 5.0), message)).isTrue();
    assertThat(matches(Map.of("n", 5.0, "d", 5L), message)).isTrue();
    assertThat(matches(Map.of("n", 6L), message)).isFalse();
    assertThat(matches(Map.of("n", "5"), message)).isFalse();
    assertThat(matches(Map.of("t", 5L), message)).isFalse();
    assertThat(matches(Map.of("b", true), message.with("b", true))).isTrue();
  }

  @Test
  void shouldRefuseWhatIsNoPropertyFilter() {
    PropertyFilters filters = new PropertyFilters();
    assertThat(refusal(filters, PROPERTIES, "x")).isEqualTo(PROPERTIES + " is not a map");
    assertThat(refusal(filters, PROPERTIES, Map.of())).contains("1 to 256 entries");
    assertThat(refusal(filters, PROPERTIES, Map.of("colour", 1L)))
        .isEqualTo(PROPERTIES + ": there is no property colour");
    assertThat(refusal(filters, APPLICATION, Map.of(5L, 1L))).contains("the name 5");
    assertThat(refusal(filters, APPLICATION, Map.of("a", List.of()))).contains("the value of a");
    Map<Object, Object> many = new HashMap<>();
    for (int i = 0; i <= PropertyFilters.MOST; i++) {
      many.put("p" + i, 1L);
    }
    assertThat(refusal(filters, APPLICATION, many)).contains("1 to 256 entries");
  }

  // --- streams

  private static final String STREAM = "rabbitmq:stream-filter";

  private static FilterResult stream(Object filter, boolean unfiltered) {
    return new StreamFilters()
        .compile(
            new FilterRequest(
                Map.of(STREAM, filter, "rabbitmq:stream-match-unfiltered", unfiltered), "me"));
  }

  @Test
  void shouldFilterAsStreamsDo() {
    FakeMessage plain = new FakeMessage();
    FakeMessage eu = new FakeMessage().annotated("x-stream-filter-value", "eu");
    FakeMessage us = new FakeMessage().annotated("x-stream-filter-value", "us");
    assertThat(matches(new StreamFilters(), STREAM, "eu", eu)).isTrue();
    assertThat(matches(new StreamFilters(), STREAM, "eu", us)).isFalse();
    assertThat(matches(new StreamFilters(), STREAM, "eu", plain)).isFalse();
    assertThat(matches(new StreamFilters(), STREAM, List.of("eu", "us"), us)).isTrue();
    FilterResult.Compiled others = (FilterResult.Compiled) stream("eu", true);
    assertThat(others.filter().matches(plain)).isTrue();
    assertThat(others.filter().matches(us)).isFalse();
    assertThat(others.filter().matches(eu)).isTrue();
    assertThat(matches(new StreamFilters(), "rabbitmq:stream-match-unfiltered", true, us)).isTrue();
    assertThat(refusal(new StreamFilters(), STREAM, 5L)).contains("list of 1 to 256 strings");
    assertThat(refusal(new StreamFilters(), STREAM, List.of())).contains("list of 1 to 256");
    assertThat(refusal(new StreamFilters(), "rabbitmq:stream-match-unfiltered", "x"))
        .contains("is not a boolean");
  }

  // --- tags

  private static final String TAGS = "amphora:tags";

  private static boolean tagged(Object filter, Object tags) {
    FakeMessage message = new FakeMessage();
    if (tags != null) {
      message.annotated("x-opt-tags", tags);
    }
    return matches(new TagFilters(), TAGS, filter, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a | true",
        "x | false",
        "(a) | true",
        "* | true",
        "!* | false",
        "!a | false",
        "!x | true",
        "!!a | true",
        "a && b | true",
        "a && x | false",
        "a && !x | true",
        "x && a | false",
        "region=eu | true",
        "region=us | false",
        "region=eu && !x | true",
        "'two words' | true",
        "'it''s' | true",
        "'a' | true",
        "a&&b | true",
        "!(a && b) | false",
        "x && x && x | false",
      })
  void shouldEvaluateTagExpressions(String expression, boolean expected) {
    List<String> tags = List.of("a", "b", "region=eu", "two words", "it's");
    assertThat(tagged(expression, tags)).isEqualTo(expected);
  }

  @Test
  void shouldBindAndStrongerThanOr() {
    List<String> tags = List.of("a");
    assertThat(tagged("a || x", tags)).isTrue();
    assertThat(tagged("x || a", tags)).isTrue();
    assertThat(tagged("a || x && x", tags)).isTrue();
    assertThat(tagged("x && x || a", tags)).isTrue();
    assertThat(tagged("(a || x) && x", tags)).isFalse();
    assertThat(tagged("x||y", tags)).isFalse();
  }

  @Test
  void shouldReadTagsInAllForms() {
    assertThat(tagged("a", "a")).isTrue();
    assertThat(tagged("a", Arrays.asList("b", null, 5L, "a"))).isTrue();
    assertThat(tagged("a", 5L)).isFalse();
    assertThat(tagged("a", null)).isFalse();
    assertThat(tagged("!a", null)).isTrue();
    assertThat(tagged("*", null)).isTrue();
    assertThat(tagged(List.of("x", "a"), "a")).isTrue();
    assertThat(tagged(List.of("x", "y"), "a")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "a b", "a ||", "|| a", "a & b", "(a", "a)", "!", "'a", "a | b", "a ; b"})
  void shouldRefuseMalformedTagExpressions(String expression) {
    assertThat(refusal(new TagFilters(), TAGS, expression)).contains("at position");
  }

  @Test
  void shouldBoundTagFilters() {
    assertThat(refusal(new TagFilters(), TAGS, "!".repeat(200) + "a")).contains("deeper");
    assertThat(refusal(new TagFilters(), TAGS, "a".repeat(5000))).contains("4096 characters");
    assertThat(refusal(new TagFilters(), TAGS, List.of())).contains("1 to 256");
    assertThat(refusal(new TagFilters(), TAGS, List.of(5L))).contains("not a string");
    assertThat(refusal(new TagFilters(), TAGS, 5L)).contains("neither a string nor a list");
  }
}
