package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.AppendResult;
import io.amphora.wal.LogRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Azure's batch format: one transfer, many messages (conventions 5.5). */
class AzureBatchLinkTest {

  private static final int FORMAT = 0x80013700;

  private final EngineRig rig = new EngineRig();
  private long nextId;

  @BeforeEach
  void attach() {
    rig.broker.withTopic("t", 8);
    rig.opened();
    rig.send(Wire.sender(0, 0, "l", Wire.target("t")));
  }

  private static byte[] key(String key) {
    return Wire.encode(
        new Wire.Described(
            UnsignedLong.valueOf(0x72), Map.of(Symbol.valueOf("x-opt-partition-key"), key)));
  }

  private static byte[] batch(byte[] envelope, byte[]... messages) {
    List<byte[]> parts = new ArrayList<>(List.of(envelope));
    for (byte[] message : messages) {
      parts.add(Wire.data(message));
    }
    return Wire.join(parts);
  }

  private byte[] transfer(byte[] payload, boolean settled, boolean more) {
    long id = nextId++;
    Object tag = new Binary(Long.toString(id).getBytes(StandardCharsets.UTF_8));
    Object body =
        Wire.list(RawFrame.TRANSFER, Wire.u(0), Wire.u(id), tag, Wire.u(FORMAT), settled, more);
    return Wire.frame(0, 0, Wire.encode(body), payload);
  }

  private List<RawFrame> send(byte[] payload) {
    return rig.send(transfer(payload, false, false)).stream()
        .filter(f -> f.code() == RawFrame.DISPOSITION)
        .toList();
  }

  private List<LogRecord> stored() {
    List<LogRecord> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.addAll(rig.broker.partition("t", i).records());
    }
    return all;
  }

  private int appends() {
    int count = 0;
    for (int i = 0; i < 8; i++) {
      count += rig.broker.partition("t", i).appends.size();
    }
    return count;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void shouldStoreEachMessageOfABatchInOneAppend() {
    byte[] second = Wire.join(Wire.encode(Wire.list(0x73, "id")), Wire.message("b"));
    List<RawFrame> answer = send(batch(new byte[0], Wire.message("a"), second));
    assertThat(answer).hasSize(1);
    assertThat(answer.get(0).described(4)).isEqualTo(0x24);
    assertThat(appends()).isEqualTo(1);
    assertThat(stored()).hasSize(2).allMatch(r -> r.messageFormat() == 0 && !r.hasKey());
    assertThat(bytes(stored().get(0).body())).isEqualTo(Wire.message("a"));
    assertThat(bytes(stored().get(1).body())).isEqualTo(second);
  }

  @Test
  void shouldUseTheKeyOfTheEnvelopeForAll() {
    byte[] other = Wire.join(key("other"), Wire.message("b"));
    send(batch(key("k"), Wire.message("a"), other));
    assertThat(appends()).isEqualTo(1);
    assertThat(stored())
        .hasSize(2)
        .allSatisfy(
            r -> assertThat(new String(bytes(r.key()), StandardCharsets.UTF_8)).isEqualTo("k"));
  }

  private static byte[][] keyed(int count) {
    byte[][] messages = new byte[count][];
    for (int i = 0; i < count; i++) {
      messages[i] = Wire.join(key("k" + i), Wire.message("m" + i));
    }
    return messages;
  }

  @Test
  void shouldGiveEachPartitionItsPartAndAnswerOnce() {
    List<RawFrame> answer = send(batch(new byte[0], keyed(30)));
    assertThat(answer).hasSize(1);
    assertThat(answer.get(0).described(4)).isEqualTo(0x24);
    assertThat(appends()).isBetween(2, 8);
    assertThat(stored()).hasSize(30);
  }

  @Test
  void shouldRefuseABatchOfWhichAPartIsRefused() {
    send(batch(new byte[0], keyed(30)));
    List<Integer> used = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      if (!rig.broker.partition("t", i).records().isEmpty()) {
        used.add(i);
      }
    }
    rig.broker.partition("t", used.get(0)).forced =
        Optional.of(
            new AppendResult.Refused(new BrokerException(ErrorCode.RESOURCE_LIMIT, "full")));
    List<RawFrame> answer = send(batch(new byte[0], keyed(30)));
    assertThat(answer).hasSize(1);
    assertThat(answer.get(0).described(4)).isEqualTo(0x25);
  }

  @Test
  void shouldRejectAMalformedBatchAsAWhole() {
    for (byte[] payload :
        List.of(
            batch(new byte[0], Wire.message("a"), new byte[] {1, 2, 3}),
            batch(new byte[0], Wire.message("a"), new byte[0]),
            batch(key("k")),
            Wire.encode(Wire.list(0x77, "value")),
            new byte[] {0, 0x53, 0x75, (byte) 0xb0, 0, 0, 1, 0})) {
      List<RawFrame> answer = send(payload);
      assertThat(answer).hasSize(1);
      assertThat(answer.get(0).described(4)).as(Arrays.toString(payload)).isEqualTo(0x25);
    }
    assertThat(stored()).isEmpty();
    assertThat(send(batch(new byte[0], Wire.message("a"))).get(0).described(4)).isEqualTo(0x24);
  }

  @Test
  void shouldRejectABatchThatIsTooLarge() {
    byte[] large = batch(new byte[0], Wire.data(new byte[3 << 20]), Wire.message("b"));
    int frame = 60_000;
    List<RawFrame> frames = new ArrayList<>();
    for (int at = 0; at < large.length; at += frame) {
      byte[] part = Arrays.copyOfRange(large, at, Math.min(large.length, at + frame));
      nextId = 0;
      frames.addAll(rig.send(transfer(part, false, at + frame < large.length)));
    }
    frames.addAll(rig.read());
    List<RawFrame> answer = frames.stream().filter(f -> f.code() == RawFrame.DISPOSITION).toList();
    assertThat(answer).hasSize(1);
    assertThat(answer.get(0).described(4)).isEqualTo(0x25);
    assertThat(stored()).isEmpty();
    assertThat(rig.memory.held()).isZero();
  }

  @Test
  void shouldTakeSettledBatches() {
    rig.send(transfer(batch(new byte[0], Wire.message("a"), Wire.message("b")), true, false));
    assertThat(stored()).hasSize(2);
  }
}
