package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.boot.it.BrokerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.DistributionMode;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.client.SourceOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.exceptions.ClientLinkRemotelyClosedException;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application on the client of protonj2 expects. */
@Tag("interop")
class Protonj2IT {

  private static final long TIMEOUT = 20;
  private static final String OFFSET_SPEC = "rabbitmq:stream-offset-spec";

  @TempDir static Path dir;
  private static BrokerProcess broker;
  private static BrokerProcess strict;

  private final Client client = Client.create();
  private final String address = "protonj2-" + UUID.randomUUID();
  private Connection connection;

  @BeforeAll
  static void startBrokers() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
    strict = BrokerProcess.serving(dir.resolve("strict"), "--set", "topics.auto-create=off");
  }

  @AfterAll
  static void stopBrokers() {
    broker.close();
    strict.close();
  }

  @BeforeEach
  void connect() throws ClientException {
    connection = client.connect("127.0.0.1", broker.amqpPort());
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private void send(int count) throws ClientException {
    try (Sender sender = connection.openSender(address)) {
      for (int i = 0; i < count; i++) {
        sender.send(Message.create(i)).awaitAccepted(TIMEOUT, TimeUnit.SECONDS);
      }
    }
  }

  private static ReceiverOptions one() {
    return new ReceiverOptions().autoAccept(false).creditWindow(1);
  }

  private static Delivery next(Receiver receiver) throws ClientException {
    Delivery delivery = receiver.receive(TIMEOUT, TimeUnit.SECONDS);
    assertThat(delivery).as("a delivery within %d s", TIMEOUT).isNotNull();
    return delivery;
  }

  private static List<Object> take(Receiver receiver, int count) throws ClientException {
    List<Object> bodies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Delivery delivery = next(receiver);
      bodies.add(delivery.message().body());
      delivery.accept();
    }
    return bodies;
  }

  private static List<Object> numbers(int from, int to) {
    return IntStream.range(from, to).<Object>mapToObj(i -> i).toList();
  }

  @Test
  void shouldKeepOrderWithACreditOfOne() throws ClientException {
    send(30);
    try (Receiver receiver = connection.openReceiver(address, one())) {
      assertThat(take(receiver, 30)).isEqualTo(numbers(0, 30));
    }
  }

  @Test
  void shouldReturnReleasedUncountedAndModifiedCounted() throws ClientException {
    send(1);
    try (Receiver receiver = connection.openReceiver(address, one())) {
      Delivery delivery = next(receiver);
      assertThat(delivery.message().deliveryCount()).isZero();
      delivery.release();
      delivery = next(receiver);
      assertThat(delivery.message().deliveryCount()).isZero();
      for (int failed = 1; failed <= 3; failed++) {
        delivery.modified(true, false);
        delivery = next(receiver);
        assertThat(delivery.message().deliveryCount()).isEqualTo(failed);
        assertThat(delivery.message().firstAcquirer()).isFalse();
      }
      delivery.accept();
    }
  }

  @Test
  void shouldNotDeliverRejectedAgain() throws ClientException {
    send(2);
    try (Receiver receiver = connection.openReceiver(address, one())) {
      next(receiver).reject("test:bad", "not wanted");
      assertThat(take(receiver, 1)).containsExactly(1);
    }
  }

  @Test
  void shouldTakeAndGiveSettledMessages() throws ClientException {
    SenderOptions sends = new SenderOptions().deliveryMode(DeliveryMode.AT_MOST_ONCE);
    ReceiverOptions takes = one().deliveryMode(DeliveryMode.AT_MOST_ONCE);
    try (Sender sender = connection.openSender(address, sends);
        Receiver receiver = connection.openReceiver(address, takes)) {
      for (int i = 0; i < 5; i++) {
        assertThat(sender.send(Message.create(i)).settled()).isTrue();
      }
      for (int i = 0; i < 5; i++) {
        Delivery delivery = next(receiver);
        assertThat(delivery.remoteSettled()).isTrue();
        assertThat(delivery.message().body()).isEqualTo((Object) i);
      }
    }
  }

  @Test
  void shouldAnswerDrains() throws Exception {
    ReceiverOptions manual = new ReceiverOptions().autoAccept(false).creditWindow(0);
    try (Receiver receiver = connection.openReceiver(address, manual)) {
      receiver.addCredit(10).drain().get(TIMEOUT, TimeUnit.SECONDS);
      assertThat(receiver.queuedDeliveries()).isZero();
      send(3);
      receiver.addCredit(10).drain().get(TIMEOUT, TimeUnit.SECONDS);
      assertThat(receiver.queuedDeliveries()).isEqualTo(3);
      assertThat(take(receiver, 3)).isEqualTo(numbers(0, 3));
    }
  }

  @Test
  void shouldBrowseAndTakeNothing() throws ClientException {
    send(3);
    ReceiverOptions browse = new ReceiverOptions().creditWindow(10);
    browse.sourceOptions().distributionMode(DistributionMode.COPY);
    for (int i = 0; i < 2; i++) {
      try (Receiver browser = connection.openReceiver(address, browse)) {
        assertThat(take(browser, 3)).isEqualTo(numbers(0, 3));
      }
    }
    try (Receiver receiver = connection.openReceiver(address, one())) {
      assertThat(take(receiver, 3)).isEqualTo(numbers(0, 3));
    }
  }

  private List<Object> replay(Object start, int count) throws ClientException {
    ReceiverOptions options = new ReceiverOptions().creditWindow(10);
    SourceOptions source = options.sourceOptions();
    source.addFilter(OFFSET_SPEC, Symbol.valueOf(OFFSET_SPEC), start);
    try (Receiver reader = connection.openReceiver(address, options)) {
      assertThat(reader.source().filters()).containsKey(OFFSET_SPEC);
      return take(reader, count);
    }
  }

  @Test
  void shouldReplayFromAnOffsetAndFromATime() throws Exception {
    send(10);
    Message<Object> third;
    try (Receiver receiver = connection.openReceiver(address, one())) {
      take(receiver, 2);
      third = next(receiver).message();
    }
    UnsignedLong offset = UnsignedLong.valueOf((Long) third.annotation("x-opt-sequence-number"));
    assertThat(replay(offset, 8)).isEqualTo(numbers(2, 10));
    assertThat(replay("first", 10)).isEqualTo(numbers(0, 10));
    assertThat(replay("last", 1)).containsExactly(9);
    assertThat(replay(new Date(1), 10)).isEqualTo(numbers(0, 10));
  }

  @Test
  void shouldCarryAnswersOverADynamicNode() throws ClientException {
    try (Receiver replies = connection.openDynamicReceiver();
        Sender sender = connection.openSender(address);
        Receiver requests = connection.openReceiver(address, one());
        Sender anonymous = connection.openAnonymousSender()) {
      Message<String> request = Message.create("question").replyTo(replies.address());
      sender.send(request.messageId("q1")).awaitAccepted(TIMEOUT, TimeUnit.SECONDS);
      Delivery asked = next(requests);
      Message<String> answer = Message.create("answer").to(asked.message().replyTo());
      answer.correlationId(asked.message().messageId());
      anonymous.send(answer).awaitAccepted(TIMEOUT, TimeUnit.SECONDS);
      asked.accept();
      Message<Object> got = next(replies).message();
      assertThat(got.body()).isEqualTo("answer");
      assertThat(got.correlationId()).isEqualTo("q1");
    }
  }

  @Test
  void shouldRefuseAnUnknownAddress() throws ClientException {
    try (Connection refused = client.connect("127.0.0.1", strict.amqpPort())) {
      Sender sender = refused.openSender(address);
      assertNotFound(s -> get(s::openFuture), sender);
      Receiver receiver = refused.openReceiver(address);
      assertNotFound(r -> get(r::openFuture), receiver);
    }
  }

  private interface Opening {
    java.util.concurrent.Future<?> future();
  }

  private static void get(Opening opening) {
    try {
      opening.future().get(TIMEOUT, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> void assertNotFound(Consumer<T> open, T link) {
    assertThatThrownBy(() -> open.accept(link))
        .hasRootCauseInstanceOf(ClientLinkRemotelyClosedException.class)
        .rootCause()
        .asInstanceOf(
            org.assertj.core.api.InstanceOfAssertFactories.type(
                ClientLinkRemotelyClosedException.class))
        .satisfies(e -> assertThat(e.getErrorCondition().condition()).isEqualTo("amqp:not-found"));
  }

  /** The bare message, with all that follows it, arrives as it was encoded. */
  @Test
  void shouldCarryTheBareMessageByteForByte() throws Exception {
    Message<String> sent = Message.create("body").messageId(UUID.randomUUID()).to("somewhere");
    sent.property("k\u00fc", 1.5f).userId(new byte[] {0, 1}).contentType("a/b").footer("f", 1L);
    ProtonBuffer encoded = sent.toAdvancedMessage().encode(null);
    byte[] expected = new byte[encoded.getReadableBytes()];
    encoded.readBytes(expected, 0, expected.length);
    try (Sender sender = connection.openSender(address);
        Receiver receiver = connection.openReceiver(address, one())) {
      sender.send(sent).awaitAccepted(TIMEOUT, TimeUnit.SECONDS);
      byte[] all = next(receiver).rawInputStream().readAllBytes();
      byte[] bare = java.util.Arrays.copyOfRange(all, all.length - expected.length, all.length);
      assertThat(bare).isEqualTo(expected);
    }
  }

  @Test
  void shouldServeManyLinksOnOneConnection() throws ClientException {
    List<Receiver> receivers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      receivers.add(connection.openReceiver(address + "::group-" + i, one()));
    }
    send(5);
    for (Receiver receiver : receivers) {
      assertThat(take(receiver, 5)).isEqualTo(numbers(0, 5));
    }
  }
}
