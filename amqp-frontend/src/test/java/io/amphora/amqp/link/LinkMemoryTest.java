package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.qpid.proton.codec.ReadableBuffer.ByteBufferReader;
import org.junit.jupiter.api.Test;

class LinkMemoryTest {

  private final NodeMemory node = new NodeMemory(1000, 1000);
  private final PartialMessage one = new PartialMessage(new LinkMemory(node));
  private final PartialMessage other = new PartialMessage(new LinkMemory(node));

  @Test
  void shouldHaveNoRoomWhileAnotherConnectionHoldsTooMuch() {
    add(one, 999);
    assertThat(other.hasRoom()).isTrue();
    add(one, 1);
    assertThat(other.hasRoom()).isFalse();
    one.clear();
    assertThat(other.hasRoom()).isTrue();
  }

  @Test
  void shouldLetOneMessageAloneGrow() {
    add(one, 5000);
    assertThat(one.hasRoom()).isTrue();
  }

  @Test
  void shouldCountTheMemoryAndNotTheMessage() {
    add(one, 600);
    add(one, 1);
    assertThat(other.hasRoom()).as("601 bytes in an array of 1200").isFalse();
  }

  @Test
  void shouldHoldBackAllConnectionsWhenTogetherTheyHoldTooMuch() {
    LinkMemory stalled = new LinkMemory(node);
    LinkMemory reading = new LinkMemory(node);
    stalled.outgoing(1000);
    assertThat(reading.isOutgoingFull()).isTrue();
    stalled.outgoing(-1);
    assertThat(reading.isOutgoingFull()).isFalse();
  }

  private static void add(PartialMessage message, int size) {
    message.add(ByteBufferReader.wrap(new byte[size]));
  }

  /** The core refuses above an eighth of the heap: sockets have to be paused well before. */
  @Test
  void shouldBeFullOfWhatIsOnItsWayAtHalfOfWhatTheCoreTakes() {
    node.incoming(499);
    assertThat(node.isIncomingFull()).isFalse();
    node.incoming(1);
    assertThat(node.isIncomingFull()).isTrue();
    node.incoming(-500);
    assertThat(node.isIncomingFull()).isFalse();
  }
}
