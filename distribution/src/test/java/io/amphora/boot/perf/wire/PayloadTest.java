package io.amphora.boot.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 255, 256, 1024, 1 << 20})
  void shouldEncodeADurableMessageWithABodyOfTheSizeAndItsTime(int size) {
    Payload payload = new Payload(size);
    ReadableBuffer encoded = payload.stamped(42);

    Message message = Proton.message();
    message.decode(encoded.duplicate());

    assertThat(message.isDurable()).isTrue();
    assertThat(((Data) message.getBody()).getValue().getLength()).isEqualTo(size);
    assertThat(payload.stampOf(encoded)).isEqualTo(42);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 1024})
  void shouldTellItsMessagesFromThoseOfOthers(int size) {
    Payload payload = new Payload(size);

    assertThat(payload.stampOf(new Payload(size).stamped(42))).isEqualTo(Payload.NOT_OURS);
    assertThat(payload.stampOf(new Payload(8).stamped(42))).isEqualTo(Payload.NOT_OURS);
    assertThat(payload.stampOf(payload.stamped(42))).isEqualTo(42);
  }
}
