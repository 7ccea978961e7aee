package io.amphora.boot.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.jms.JmsConnectionFactory;

/** Qpid JMS: bodies and application properties, as far as JMS has types for them. */
final class JmsMatrixClient implements MatrixClient {

  static final String NAME = "jms";

  private static final long TIMEOUT_MILLIS = 60_000;

  @Override
  public String name() {
    return NAME;
  }

  private interface Work {
    void on(Session session) throws JMSException;
  }

  private static void connected(int port, Work work) throws JMSException {
    JmsConnectionFactory factory = new JmsConnectionFactory("amqp://127.0.0.1:" + port);
    factory.setSendTimeout(TIMEOUT_MILLIS);
    try (Connection connection = factory.createConnection()) {
      connection.start();
      work.on(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
    }
  }

  @Override
  public void write(int port, String address, List<JsonNode> cases) throws JMSException {
    connected(
        port,
        session -> {
          MessageProducer producer = session.createProducer(session.createQueue(address));
          for (JsonNode one : cases) {
            producer.send(message(session, one));
          }
        });
  }

  @Override
  public List<JsonNode> read(int port, String address, int count) throws JMSException {
    List<JsonNode> read = new ArrayList<>();
    connected(
        port,
        session -> {
          MessageConsumer consumer = session.createConsumer(session.createQueue(address));
          for (int i = 0; i < count; i++) {
            read.add(described(consumer.receive(TIMEOUT_MILLIS)));
          }
        });
    return read;
  }

  private static Message message(Session session, JsonNode one) throws JMSException {
    Message message = body(session, one.get("body"));
    message.setJMSType(one.get("name").asText());
    for (Map.Entry<String, JsonNode> e : one.path("application").properties()) {
      message.setObjectProperty(e.getKey(), TypedValue.build(e.getValue()));
    }
    return message;
  }

  private static Message body(Session session, JsonNode body) throws JMSException {
    JsonNode content = body.get(1);
    if (body.get(0).asText().equals("value")) {
      Object value = TypedValue.build(content);
      if (!(value instanceof Map<?, ?> map)) {
        return session.createTextMessage((String) value);
      }
      MapMessage message = session.createMapMessage();
      for (Map.Entry<?, ?> e : map.entrySet()) {
        message.setObject((String) e.getKey(), e.getValue());
      }
      return message;
    }
    BytesMessage message = session.createBytesMessage();
    boolean sized = body.get(0).asText().equals("size");
    message.writeBytes(
        sized
            ? CaseTable.filler(content.asInt())
            : HexFormat.of().parseHex(content.get(0).asText()));
    return message;
  }

  /** What JMS has no types for is not compared, but it must be receivable. */
  private static JsonNode described(Message message) throws JMSException {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.put("name", message.getJMSType());
    if (message instanceof BytesMessage bytes) {
      byte[] body = new byte[(int) bytes.getBodyLength()];
      bytes.readBytes(body);
      one.set("body", CaseTable.data(List.of(body)));
    } else if (message instanceof TextMessage text) {
      one.putArray("body").add("value").add(TypedValue.show(text.getText()));
    } else if (message instanceof MapMessage map) {
      one.putArray("body").add("value").add(TypedValue.show(content(map)));
    } else if (message instanceof ObjectMessage object && isJms(message)) {
      one.putArray("body").add("value").add(TypedValue.show(object.getObject()));
    }
    ObjectNode properties = one.putObject("application");
    if (isJms(message)) {
      for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements(); ) {
        String name = (String) names.nextElement();
        if (!name.startsWith("JMS")) {
          properties.set(name, TypedValue.show(message.getObjectProperty(name)));
        }
      }
    }
    return one;
  }

  private static boolean isJms(Message message) throws JMSException {
    return message.getJMSType().contains("-jms");
  }

  private static Map<String, Object> content(MapMessage map) throws JMSException {
    Map<String, Object> content = new LinkedHashMap<>();
    for (Enumeration<?> names = map.getMapNames(); names.hasMoreElements(); ) {
      String name = (String) names.nextElement();
      content.put(name, map.getObject(name));
    }
    return content;
  }
}
