package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.filter.Candidate;
import io.amphora.core.filter.MemberFilter;
import io.amphora.wal.LogRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters of plugins at attach, and what they see of a message that was sent. */
class FilterLinkTest {

  private static final UnsignedLong CODE = UnsignedLong.valueOf(0x7001);
  private static final UnsignedLong FOREIGN = UnsignedLong.valueOf(0x7002);
  private static final byte[] NONE = new byte[0];

  private final EngineRig rig = new EngineRig();

  @BeforeEach
  void open() {
    rig.broker.withTopic("t", 1);
    rig.opened();
  }

  private static Object filter(String key, Object descriptor, Object value) {
    return Map.of(Symbol.valueOf(key), new Wire.Described(descriptor, value));
  }

  private static RawFrame first(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).findFirst().orElseThrow();
  }

  private static Map<?, ?> echo(List<RawFrame> frames) {
    RawFrame attach = first(frames, RawFrame.ATTACH);
    return (Map<?, ?>) ((List<?>) ((DescribedType) attach.get(5)).getDescribed()).get(7);
  }

  private List<RawFrame> attach(Object source) {
    int handle = rig.broker.requests.size();
    return rig.send(Wire.receiver(0, handle, "r" + handle, source));
  }

  private SubscribeRequest request() {
    return rig.broker.requests.get(rig.broker.requests.size() - 1);
  }

  @Test
  void shouldEchoAFilterAsItCame() {
    for (Object descriptor : List.of(CODE, Symbol.valueOf("test:color"))) {
      Map<?, ?> echo = echo(attach(Wire.source("t", filter("my-key", descriptor, "red"))));
      DescribedType value = (DescribedType) echo.get(Symbol.valueOf("my-key"));
      assertThat(echo).hasSize(1);
      assertThat(value.getDescriptor()).isEqualTo(descriptor);
      assertThat(value.getDescribed()).isEqualTo("red");
    }
  }

  @Test
  void shouldLeaveOutAnUnknownFilterAndKeepTheOther() {
    Map<Symbol, Object> filters = new HashMap<>();
    filters.put(Symbol.valueOf("color"), new Wire.Described(CODE, "red"));
    filters.put(Symbol.valueOf("x"), new Wire.Described(Symbol.valueOf("x:unknown"), "y"));
    assertThat(echo(attach(Wire.source("t", filters))).keySet().toString()).isEqualTo("[color]");
  }

  @Test
  void shouldRefuseAMalformedFilterAndSayWhere() {
    List<RawFrame> frames = attach(Wire.source("t", filter("f", CODE, "bad")));
    assertThat(first(frames, RawFrame.ATTACH).get(5)).isNull();
    RawFrame detach = first(frames, RawFrame.DETACH);
    List<?> error = (List<?>) ((DescribedType) detach.get(2)).getDescribed();
    assertThat(error.get(0)).isEqualTo(Symbol.valueOf("amqp:invalid-field"));
    assertThat(error.get(1)).isEqualTo("filter test:color: unexpected 'b' at position 1");
    assertThat(rig.broker.requests).isEmpty();
  }

  @Test
  void shouldGiveTheFilterToTheMemberOrToTheSubscription() {
    Object red = filter("f", CODE, "red");
    attach(Wire.source("t", red));
    assertThat(request().options().filter().scope()).isEqualTo(MemberFilter.Scope.MEMBER);
    attach(Wire.source("t::g", red));
    assertThat(request().options().filter().scope()).isEqualTo(MemberFilter.Scope.MEMBER);
    attach(Wire.source("t", red, "topic"));
    assertThat(request().group()).isEmpty();
    assertThat(request().options().filter().isAll()).isFalse();
    attach(Wire.source("t", red, "topic", "shared"));
    assertThat(request().options().filter().scope()).isEqualTo(MemberFilter.Scope.GROUP);
    attach(durable(red));
    assertThat(request().options().filter().scope()).isEqualTo(MemberFilter.Scope.GROUP);
    assertThat(request().options().filter().text()).isEqualTo("{test:color=red}");
    assertThat(request().options().steals()).isTrue();
    attach(durable(null));
    assertThat(request().options().filter().scope()).isEqualTo(MemberFilter.Scope.GROUP);
    assertThat(request().options().filter().isAll()).isTrue();
  }

  private static Object durable(Object filter) {
    List<Object> fields = new ArrayList<>(Arrays.asList(new Object[11]));
    fields.set(0, "t");
    fields.set(1, Wire.u(2));
    fields.set(7, filter);
    fields.set(10, Symbol.valueOf("topic"));
    return new Wire.Described(UnsignedLong.valueOf(0x28), fields);
  }

  // --- what filters see

  private LogRecord stored(byte[]... sections) {
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.transfer(9, 0L, Wire.join(sections)));
    List<LogRecord> records = rig.broker.partition("t", 0).records();
    return records.get(records.size() - 1);
  }

  private static byte[] properties(Object... more) {
    Map<String, Object> map = new HashMap<>();
    for (int i = 0; i < more.length; i += 2) {
      map.put((String) more[i], more[i + 1]);
    }
    return Wire.encode(new Wire.Described(UnsignedLong.valueOf(0x74), map));
  }

  private boolean matches(LogRecord record, byte[] front) {
    return request().options().filter().filter().matches(new Candidate(record, 0, 0, front));
  }

  @Test
  void shouldSeeTheApplicationProperties() {
    attach(Wire.source("t", filter("f", CODE, "red")));
    LogRecord red = stored(properties("a", 1, "color", "red", "z", 2), Wire.message("x"));
    assertThat(matches(red, NONE)).isTrue();
  }

  @Test
  void shouldFindOneOfManyProperties() {
    attach(Wire.source("t", filter("f", CODE, "red")));
    Object[] many = new Object[2002];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = "property-" + i;
      many[i + 1] = "v";
    }
    many[1000] = "color";
    many[1001] = "red";
    assertThat(matches(stored(properties(many), Wire.message("x")), NONE)).isTrue();
  }

  @Test
  void shouldNotMatchWithoutTheProperty() {
    attach(Wire.source("t", filter("f", CODE, "red")));
    assertThat(matches(stored(properties("color", "blue"), Wire.message("x")), NONE)).isFalse();
  }

  @Test
  void shouldNotMatchAMessageWithoutProperties() {
    attach(Wire.source("t", filter("f", CODE, "red")));
    assertThat(matches(stored(Wire.message("x")), NONE)).isFalse();
  }

  @Test
  void shouldKnowWhoSentAMessage() {
    attach(Wire.source("t", filter("f", FOREIGN, List.of())));
    LogRecord own = stored(Wire.message("x"));
    assertThat(own.batch().producerId()).isNotNegative();
    assertThat(matches(own, NONE)).isFalse();
  }
}
