package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.partition.AppendResult.Appended;
import org.junit.jupiter.api.Test;

class NodeTest {

  private final NodeHarness node = new NodeHarness(1);

  @Test
  void shouldKeepWhatItAcknowledgedOverACrash() {
    node.start();
    node.create("orders");
    assertThat(node.append("orders", 0, "a", "b")).isEqualTo(new Appended(1));
    assertThat(node.append("orders", 0, "c")).isEqualTo(new Appended(3));
    assertThat(node.messages("orders", 0)).containsExactly("a", "b", "c");

    node.crash();
    node.start();

    assertThat(node.messages("orders", 0)).containsExactly("a", "b", "c");
    assertThat(node.status("orders", 0).epoch()).isEqualTo(2);
    assertThat(node.status("orders", 0).messagesFrom(0)).isEqualTo(3);
    assertThat(node.append("orders", 0, "d")).isEqualTo(new Appended(5));
  }
}
