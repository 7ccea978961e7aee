package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.AppendResult.Appended;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.codec.Compression;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a node stores and gives back does not depend on how it is compressed. */
class CompressedTopicTest {

  private static final String LONG = "0123456789".repeat(200);

  private final NodeHarness node = new NodeHarness(1);

  private AppendResult append(Compression how, String... bodies) {
    List<AppendResult> results = new ArrayList<>();
    node.partition("orders", 0)
        .append(
            new AppendRequest(
                NodeHarness.batch(bodies).compress(how),
                Acks.ALL,
                node.client,
                (request, result) -> results.add(result)));
    node.scheduler.runUntilIdle();
    assertThat(results).hasSize(1);
    return results.get(0);
  }

  private List<RecordBatch> batches() {
    return node.read("orders", 0, 0).batches().stream().filter(b -> !b.isControl()).toList();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void shouldGiveBackWhatItAcknowledgedFromMemoryAndFromDisk(Compression how) {
    node.start();
    node.create("orders", TopicConfig.DEFAULT.withCompression(how));
    String[] bodies = {LONG + 1, "short", LONG + 2};
    assertThat(append(how, bodies)).isEqualTo(new Appended(1));
    assertThat(append(how, "plain")).isEqualTo(new Appended(4));
    assertThat(batches().get(0).compression()).isEqualTo(how);
    assertThat(node.messages("orders", 0)).containsExactly(LONG + 1, "short", LONG + 2, "plain");

    node.crash();
    node.start();

    assertThat(node.broker.topology().topics().get("orders").config().compression()).isEqualTo(how);
    assertThat(batches().get(0).compression()).isEqualTo(how);
    assertThat(node.messages("orders", 0)).containsExactly(LONG + 1, "short", LONG + 2, "plain");
    assertThat(node.read("orders", 0, 2).batches().get(0).baseOffset()).isEqualTo(1);
    assertThat(node.status("orders", 0).messagesFrom(0)).isEqualTo(4);
  }

  /** The limit is that of a message, not of what is left of it on disk. */
  @Test
  void shouldRefuseAMessageThatIsOnlySmallWhenItIsCompressed() {
    node.start();
    node.create("orders", TopicConfig.DEFAULT.withMaxMessageBytes(LONG.length()));
    AppendResult result = append(Compression.ZSTD, "a", LONG + "x");
    assertThat(((AppendResult.Refused) result).error().code())
        .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(append(Compression.ZSTD, LONG, LONG)).isEqualTo(new Appended(1));
  }

  /** The append budget is given back as it was taken, or a broker would end up refusing. */
  @Test
  void shouldNeverRunOutOfItsBudget() {
    node.start();
    node.create("orders");
    for (int i = 0; i < 1000; i++) {
      assertThat(append(Compression.LZ4, LONG, LONG)).isInstanceOf(Appended.class);
    }
  }
}
