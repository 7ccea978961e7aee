package io.amphora.amqp.codec;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.testkit.Wire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NestingTest {

  private static void check(byte[] bytes) throws MalformedMessageException {
    Nesting.check(bytes, 0, bytes.length);
  }

  /** A described list in a list in a list. */
  private static byte[] nested(int depth) {
    byte[] value = {0x40};
    for (int i = 0; i < depth; i++) {
      byte[] size = Wire.int32(value.length + 4);
      value = Wire.join(new byte[] {(byte) 0xd0}, size, Wire.int32(1), value);
    }
    return value;
  }

  @Test
  void shouldAcceptWhatRequestsHold() {
    Object body =
        Map.of("a", List.of(1, Map.of("b", "c"), new String[] {"x", "y"}), "n", List.of());
    assertThatCode(() -> check(Wire.encode(Wire.list(0x77, body)))).doesNotThrowAnyException();
    assertThatCode(() -> check(nested(30))).doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseWhatWouldUseUpTheStack() {
    assertThatThrownBy(() -> check(nested(40))).isInstanceOf(MalformedMessageException.class);
    assertThatThrownBy(() -> check(nested(20_000))).isInstanceOf(MalformedMessageException.class);
    assertThatThrownBy(() -> check(new byte[100_000]))
        .isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void shouldRefuseArraysThatCountMoreThanTheyHold() {
    byte[] million = {(byte) 0xf0, 0, 0, 0, 5, 0, 15, 0, 0, 0x41};
    assertThatThrownBy(() -> check(million)).isInstanceOf(MalformedMessageException.class);
    byte[] lists = {(byte) 0xe0, 3, 1, (byte) 0xc0, 1};
    assertThatThrownBy(() -> check(lists)).isInstanceOf(MalformedMessageException.class);
  }
}
