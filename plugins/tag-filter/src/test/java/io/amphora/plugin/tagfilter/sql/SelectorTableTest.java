package io.amphora.plugin.tagfilter.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.plugin.MessageProperty;
import io.amphora.plugin.tagfilter.FakeMessage;
import java.math.BigInteger;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Selectors and what they say of one message. The tables are beside the tests' resources. */
class SelectorTableTest {

  /** The message that both tables are about. */
  private static FakeMessage message() {
    FakeMessage message = new FakeMessage();
    message.durable = true;
    message.priority = 6;
    message.deliveryCount = 2;
    return message
        .with("color", "red")
        .with("size", 10L)
        .with("zero", 0L)
        .with("weight", 2.5)
        .with("yes", true)
        .with("no", false)
        .with("text", "it's 50% off_now")
        .with("empty", "")
        .with("a.b", "dotted")
        .with("my-prop", "hyphen")
        .with("größe", "L")
        .with("id", UUID.fromString("00000000-0000-0001-0000-000000000002"))
        .with("when", Instant.ofEpochMilli(5000))
        .with("large", BigInteger.ONE.shiftLeft(63))
        .with("bytes", new byte[] {1, 2})
        .with("digits", "10")
        .with("order", 3L)
        .with(MessageProperty.MESSAGE_ID, "ID:abc")
        .with(MessageProperty.CORRELATION_ID, 5L)
        .with(MessageProperty.SUBJECT, "invoice")
        .with(MessageProperty.TO, "orders")
        .with(MessageProperty.REPLY_TO, "replies")
        .with(MessageProperty.GROUP_ID, "g1")
        .with(MessageProperty.GROUP_SEQUENCE, 9L)
        .with(MessageProperty.USER_ID, new byte[] {'b', 'o', 'b'})
        .with(MessageProperty.CREATION_TIME, Instant.ofEpochMilli(1700000000000L))
        .with(MessageProperty.CONTENT_TYPE, "text/plain")
        .annotated("x-opt-region", "eu");
  }

  private static boolean matches(Dialect dialect, String selector) throws SyntaxException {
    return Sql.compile(dialect, selector).matches(message());
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/jms-selectors.csv", delimiter = '|', quoteCharacter = '`')
  void shouldSelectAsJmsSays(String expected, String selector) throws SyntaxException {
    assertThat(matches(Dialect.JMS, selector)).as(selector).isEqualTo(expected.equals("T"));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/amqp-sql.csv", delimiter = '|', quoteCharacter = '`')
  void shouldSelectAsFilterExpressionsSay(String expected, String selector) throws SyntaxException {
    assertThat(matches(Dialect.AMQP, selector)).as(selector).isEqualTo(expected.equals("T"));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/jms-malformed.csv", delimiter = '|', quoteCharacter = '`')
  void shouldSayWhereASelectorIsWrong(int position, String selector) {
    assertThatThrownBy(() -> Sql.compile(Dialect.JMS, selector))
        .as(selector)
        .isInstanceOf(SyntaxException.class)
        .hasMessageEndingWith(" at position " + position);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "properties.color = 'x' | there is no field 'properties.color' at position 1",
        "1 = h.nothing | there is no field 'h.nothing' at position 5",
        "d.x = 1 | filters do not see the section of 'd.x' at position 1",
        "a.x LIKE 5 | expected a string instead of '5' at position 10",
        "a.x = UTC() | unexpected '(' at position 10",
      })
  void shouldSayWhatIsWrongWithAnAmqpFilter(String selector, String problem) {
    assertThatThrownBy(() -> Sql.compile(Dialect.AMQP, selector)).hasMessage(problem);
  }

  @Test
  void shouldMapIdsOfAllTypes() throws SyntaxException {
    UUID uuid = UUID.fromString("00000000-0000-0001-0000-000000000002");
    byte[] binary = {(byte) 0xAB, 1};
    check("JMSMessageID", MessageProperty.MESSAGE_ID, 5L, "ID:AMQP_ULONG:5");
    check("JMSMessageID", MessageProperty.MESSAGE_ID, uuid, "ID:AMQP_UUID:" + uuid);
    check("JMSMessageID", MessageProperty.MESSAGE_ID, binary, "ID:AMQP_BINARY:AB01");
    check("JMSMessageID", MessageProperty.MESSAGE_ID, "x", "ID:AMQP_NO_PREFIX:x");
    check("JMSMessageID", MessageProperty.MESSAGE_ID, "ID:x", "ID:x");
    check("JMSCorrelationID", MessageProperty.CORRELATION_ID, "x", "x");
    check("JMSCorrelationID", MessageProperty.CORRELATION_ID, 5L, "ID:AMQP_ULONG:5");
    check("JMSCorrelationID", MessageProperty.CORRELATION_ID, uuid, "ID:AMQP_UUID:" + uuid);
    check("JMSCorrelationID", MessageProperty.CORRELATION_ID, binary, "ID:AMQP_BINARY:AB01");
  }

  private static void check(String field, MessageProperty property, Object id, String text)
      throws SyntaxException {
    FakeMessage message = new FakeMessage().with(property, id);
    assertThat(Sql.compile(Dialect.JMS, field + " = '" + text + "'").matches(message))
        .as(text)
        .isTrue();
  }

  @Test
  void shouldTakeAnEmptySelectorForAll() throws SyntaxException {
    assertThat(matches(Dialect.JMS, "")).isTrue();
    assertThat(matches(Dialect.JMS, "  \n ")).isTrue();
  }
}
