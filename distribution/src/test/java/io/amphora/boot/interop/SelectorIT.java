package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.SourceOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.types.Symbol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of all kinds, from Qpid JMS and protonj2, against a broker in a process of its own. */
@Tag("interop")
class SelectorIT {

  private static final long TIMEOUT_MILLIS = 20_000;

  @TempDir static Path dir;
  private static BrokerProcess broker;

  private final String name = "sel-" + UUID.randomUUID();
  private Connection connection;
  private Session session;
  private Queue queue;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
  }

  @AfterAll
  static void stopBroker() throws Exception {
    broker.close();
  }

  @BeforeEach
  void connect() throws JMSException {
    connection = QpidJmsIT.connect(broker, "");
    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    queue = session.createQueue(name);
  }

  @AfterEach
  void disconnect() throws JMSException {
    connection.close();
  }

  private static TextMessage message(Session session, String text, String color)
      throws JMSException {
    TextMessage message = session.createTextMessage(text);
    message.setStringProperty("color", color);
    message.setIntProperty("size", text.length());
    return message;
  }

  /** Messages r0, b1, r2, b3, ... of the colours red and blue. */
  private void sendColours(jakarta.jms.Destination to, int count) throws JMSException {
    try (MessageProducer producer = session.createProducer(to)) {
      for (int i = 0; i < count; i++) {
        String color = i % 2 == 0 ? "red" : "blue";
        producer.send(message(session, color.charAt(0) + "" + i, color));
      }
    }
  }

  private static List<String> receive(MessageConsumer consumer, int count) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Message message = consumer.receive(TIMEOUT_MILLIS);
      assertThat(message).as("message %s of %s", i, texts).isNotNull();
      texts.add(((TextMessage) message).getText());
    }
    return texts;
  }

  // --- JMS

  @Test
  void shouldGiveTwoConsumersOfAQueueWhatEachSelects() throws JMSException {
    sendColours(queue, 20);
    try (MessageConsumer blue = session.createConsumer(queue, "color = 'blue'");
        MessageConsumer red = session.createConsumer(queue, "color = 'red'")) {
      assertThat(receive(blue, 10)).allMatch(text -> text.startsWith("b")).doesNotHaveDuplicates();
      assertThat(receive(red, 10)).allMatch(text -> text.startsWith("r")).doesNotHaveDuplicates();
      assertThat(blue.receiveNoWait()).isNull();
      assertThat(red.receiveNoWait()).isNull();
    }
  }

  @Test
  void shouldLeaveWhatIsNotSelectedForOthers() throws JMSException {
    sendColours(queue, 10);
    try (MessageConsumer blue = session.createConsumer(queue, "color = 'blue'")) {
      assertThat(receive(blue, 5)).containsExactly("b1", "b3", "b5", "b7", "b9");
    }
    try (MessageConsumer all = session.createConsumer(queue)) {
      assertThat(receive(all, 5)).containsExactly("r0", "r2", "r4", "r6", "r8");
    }
  }

  @Test
  void shouldAnswerAtOnceWhenNothingIsSelected() throws JMSException {
    sendColours(queue, 10);
    try (MessageConsumer green = session.createConsumer(queue, "color = 'green'")) {
      for (int i = 0; i < 5; i++) {
        assertThat(green.receiveNoWait()).isNull();
      }
    }
  }

  @Test
  void shouldSelectByTheFieldsOfJms() throws JMSException {
    TextMessage sent = message(session, "x", "red");
    sent.setJMSType("invoice");
    sent.setJMSCorrelationID("c1");
    try (MessageProducer producer = session.createProducer(queue)) {
      producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
      producer.setPriority(7);
      producer.send(message(session, "other", "blue"));
      producer.setDeliveryMode(DeliveryMode.PERSISTENT);
      producer.send(sent);
    }
    for (String selector :
        List.of(
            "JMSType = 'invoice'",
            "JMSCorrelationID = 'c1'",
            "JMSMessageID = '" + sent.getJMSMessageID() + "'",
            "JMSPriority = 7 AND JMSDeliveryMode = 'PERSISTENT'",
            "JMSTimestamp > 0 AND color LIKE 're%'",
            "JMSXDeliveryCount >= 1 AND size BETWEEN 1 AND 1")) {
      try (QueueBrowser browser = session.createBrowser(queue, selector)) {
        assertThat(Collections.list(browser.getEnumeration())).as(selector).hasSize(1);
      }
    }
  }

  @Test
  void shouldBrowseWhatIsSelected() throws JMSException {
    sendColours(queue, 40);
    try (QueueBrowser browser = session.createBrowser(queue, "color = 'blue' AND size = 3")) {
      List<String> texts = new ArrayList<>();
      for (Object each : Collections.list(browser.getEnumeration())) {
        texts.add(((TextMessage) each).getText());
      }
      assertThat(texts).hasSize(15).startsWith("b11", "b13").endsWith("b39");
    }
    try (QueueBrowser none = session.createBrowser(queue, "color = 'green'")) {
      assertThat(none.getEnumeration().hasMoreElements()).isFalse();
    }
  }

  @Test
  void shouldSelectFromATopic() throws JMSException {
    Topic topic = session.createTopic(name);
    try (MessageConsumer blue = session.createConsumer(topic, "color = 'blue'");
        MessageConsumer all = session.createConsumer(topic)) {
      sendColours(topic, 10);
      assertThat(receive(blue, 5)).containsExactly("b1", "b3", "b5", "b7", "b9");
      assertThat(receive(all, 10)).hasSize(10);
    }
  }

  @Test
  void shouldNotGetItsOwnWithNoLocal() throws JMSException {
    Topic topic = session.createTopic(name);
    try (MessageConsumer foreign = session.createConsumer(topic, "color = 'red'", true);
        Connection other = QpidJmsIT.connect(broker, "")) {
      sendColours(topic, 2);
      Session there = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
      try (MessageProducer producer = there.createProducer(topic)) {
        producer.send(message(there, "blue", "blue"));
        producer.send(message(there, "from there", "red"));
      }
      assertThat(receive(foreign, 1)).containsExactly("from there");
    }
  }

  private MessageConsumer durable(Connection own, String selector) throws JMSException {
    Session its = own.createSession(false, Session.AUTO_ACKNOWLEDGE);
    return its.createDurableConsumer(its.createTopic(name), "sub", selector, false);
  }

  @Test
  void shouldKeepTheSelectorOfADurableSubscription() throws Exception {
    Topic topic = session.createTopic(name);
    String client = "&jms.clientID=c-" + name;
    try (Connection own = QpidJmsIT.connect(broker, client)) {
      durable(own, "color = 'blue'").close();
    }
    sendColours(topic, 6);
    try (Connection own = QpidJmsIT.connect(broker, client);
        MessageConsumer blue = durable(own, "color = 'blue'")) {
      assertThat(receive(blue, 3)).containsExactly("b1", "b3", "b5");
      assertThat(blue.receiveNoWait()).isNull();
    }
  }

  @Test
  void shouldBeginADurableSubscriptionAnewWithAnotherSelector() throws Exception {
    Topic topic = session.createTopic(name);
    String client = "&jms.clientID=c-" + name;
    try (Connection own = QpidJmsIT.connect(broker, client)) {
      durable(own, "color = 'blue'").close();
    }
    sendColours(topic, 6);
    try (Connection own = QpidJmsIT.connect(broker, client);
        MessageConsumer red = durable(own, "color = 'red'")) {
      assertThat(red.receiveNoWait()).isNull();
      sendColours(topic, 2);
      assertThat(receive(red, 1)).containsExactly("r0");
    }
  }

  @Test
  void shouldRedeliverToWhoSelectedIt() throws JMSException {
    sendColours(queue, 4);
    Session its = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    try (MessageConsumer blue = its.createConsumer(queue, "color = 'blue'")) {
      assertThat(receive(blue, 2)).containsExactly("b1", "b3");
      its.recover();
      assertThat(receive(blue, 2)).containsExactly("b1", "b3");
    }
  }

  /** Qpid JMS parses selectors itself, and knows no names with dots. */
  @Test
  void shouldRefuseASelectorThatIsWrong() {
    assertThatThrownBy(() -> session.createConsumer(queue, "color = = 'red'"))
        .isInstanceOf(JMSException.class);
  }

  @Test
  void shouldServeFiftyConsumersWithFiftySelectors() throws JMSException {
    List<MessageConsumer> consumers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      consumers.add(session.createConsumer(queue, "n = " + i));
    }
    try (MessageProducer producer = session.createProducer(queue)) {
      for (int i = 0; i < 200; i++) {
        TextMessage message = session.createTextMessage("m" + i);
        message.setIntProperty("n", i % 50);
        producer.send(message);
      }
    }
    for (int i = 0; i < 50; i++) {
      assertThat(receive(consumers.get(i), 4))
          .containsExactly("m" + i, "m" + (i + 50), "m" + (i + 100), "m" + (i + 150));
    }
  }

  @Test
  void shouldSelectLargeMessagesToo() throws JMSException {
    try (MessageProducer producer = session.createProducer(queue)) {
      for (String color : List.of("red", "blue", "red")) {
        BytesMessage large = session.createBytesMessage();
        large.writeBytes(new byte[2 << 20]);
        large.setStringProperty("color", color);
        producer.send(large);
      }
    }
    try (MessageConsumer blue = session.createConsumer(queue, "color = 'blue'")) {
      BytesMessage received = (BytesMessage) blue.receive(TIMEOUT_MILLIS);
      assertThat(received.getStringProperty("color")).isEqualTo("blue");
      assertThat(received.getBodyLength()).isEqualTo(2 << 20);
      assertThat(blue.receiveNoWait()).isNull();
    }
    try (MessageConsumer red = session.createConsumer(queue, "color = 'red'")) {
      assertThat(red.receive(TIMEOUT_MILLIS)).isNotNull();
      assertThat(red.receive(TIMEOUT_MILLIS)).isNotNull();
    }
  }

  @Test
  void shouldKeepWhatNobodySelectedOverARestart(@TempDir Path other) throws Exception {
    try (BrokerProcess first = BrokerProcess.serving(other.resolve("data"));
        Connection its = QpidJmsIT.connect(first, "")) {
      Session s = its.createSession(false, Session.AUTO_ACKNOWLEDGE);
      try (MessageProducer producer = s.createProducer(s.createQueue("q"))) {
        producer.send(message(s, "r", "red"));
        producer.send(message(s, "b", "blue"));
      }
      try (MessageConsumer blue = s.createConsumer(s.createQueue("q"), "color = 'blue'")) {
        assertThat(receive(blue, 1)).containsExactly("b");
      }
    }
    try (BrokerProcess second = BrokerProcess.serving(other.resolve("data"));
        Connection its = QpidJmsIT.connect(second, "")) {
      Session s = its.createSession(false, Session.AUTO_ACKNOWLEDGE);
      try (MessageConsumer all = s.createConsumer(s.createQueue("q"))) {
        assertThat(receive(all, 1)).containsExactly("r");
        assertThat(all.receiveNoWait()).isNull();
      }
    }
  }

  // --- protonj2

  private List<Object> filtered(String filter, Object value, int count) throws ClientException {
    Client client = Client.create();
    try (org.apache.qpid.protonj2.client.Connection own =
        client.connect("127.0.0.1", broker.amqpPort())) {
      ReceiverOptions options = new ReceiverOptions().creditWindow(10);
      SourceOptions source = options.sourceOptions();
      source.addFilter("my-key", Symbol.valueOf(filter), value);
      source.addFilter("unknown", Symbol.valueOf("x:unknown"), "x");
      try (Receiver receiver = own.openReceiver(name, options)) {
        assertThat(receiver.source().filters()).containsOnlyKeys("my-key");
        List<Object> bodies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          Delivery delivery = receiver.receive(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
          assertThat(delivery).as("message %s of %s", i, bodies).isNotNull();
          bodies.add(delivery.message().body());
          delivery.accept();
        }
        return bodies;
      }
    } finally {
      client.close();
    }
  }

  private void sendTagged(String text, Object tags) throws ClientException {
    Client client = Client.create();
    try (org.apache.qpid.protonj2.client.Connection own =
            client.connect("127.0.0.1", broker.amqpPort());
        org.apache.qpid.protonj2.client.Sender sender = own.openSender(name)) {
      sender
          .send(
              org.apache.qpid.protonj2.client.Message.create(text)
                  .annotation("x-opt-tags", tags)
                  .annotation("x-stream-filter-value", text))
          .awaitAccepted(20, TimeUnit.SECONDS);
    } finally {
      client.close();
    }
  }

  @Test
  void shouldFilterByTagsAndByStreamFilter() throws ClientException {
    sendTagged("one", "a");
    sendTagged("two", Arrays.asList("a", "region=eu"));
    sendTagged("three", new Symbol[] {Symbol.valueOf("c")});
    assertThat(filtered("amphora:tags", "a && region=eu", 1)).containsExactly("two");
    assertThat(filtered("amphora:tags", List.of("x", "c"), 1)).containsExactly("three");
    assertThat(filtered("rabbitmq:stream-filter", "one", 1)).containsExactly("one");
  }

  @Test
  void shouldFilterByPropertiesAndBySql() throws Exception {
    sendColours(queue, 4);
    assertThat(filtered("amqp:application-properties-filter", Map.of("color", "&p:bl"), 1))
        .containsExactly("b1");
    assertThat(filtered("amqp:sql-filter", "a.color > 'blue' AND h.priority = 4", 1))
        .containsExactly("r0");
    assertThat(filtered("apache.org:selector-filter:string", "color = 'blue'", 1))
        .containsExactly("b3");
    assertThat(filtered("amqp:properties-filter", Map.of("to", "&s:" + name), 1))
        .containsExactly("r2");
  }
}
