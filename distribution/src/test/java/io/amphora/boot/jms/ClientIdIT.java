package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.junit.jupiter.api.Test;

/** One connection for each client id. */
class ClientIdIT extends JmsSuite {

  private final String id = anyClientId();

  @Test
  void shouldRefuseTheSecondAndLeaveTheFirstAlone() throws JMSException {
    Session first = connection(id, "").createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer consumer = first.createDurableConsumer(topic, "sub");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> connection(id, "")).isInstanceOf(InvalidClientIDException.class);
    }
    send(first, topic, "unharmed");
    assertThat(text(consumer)).isEqualTo("unharmed");
  }

  @Test
  void shouldRefuseTheSecondThatNamesItInTheUri() throws JMSException {
    connection("", "&jms.clientID=" + id);
    assertThatThrownBy(() -> connection("", "&jms.clientID=" + id))
        .isInstanceOf(InvalidClientIDException.class);
  }

  @Test
  void shouldBeFreeAfterTheConnection() throws JMSException {
    for (int i = 0; i < 20; i++) {
      Connection one = connection(id, "");
      one.createSession(false, Session.AUTO_ACKNOWLEDGE).createDurableConsumer(topic, "sub");
      one.close();
    }
  }

  @Test
  void shouldBeFreeAfterARefusedConnection() throws JMSException {
    Connection first = connection(id, "");
    assertThatThrownBy(() -> connection(id, "")).isInstanceOf(InvalidClientIDException.class);
    first.close();
    assertThat(connection(id, "").getClientID()).isEqualTo(id);
  }

  @Test
  void shouldLetOtherIdsIn() throws JMSException {
    connection(id, "");
    assertThat(connection(id + "-2", "").getClientID()).isEqualTo(id + "-2");
    assertThat(connection("", "").getClientID()).isNotEqualTo(id);
  }

  @Test
  void shouldNotBeSetTwiceOrLate() throws JMSException {
    Connection named = connection(id, "");
    assertThatThrownBy(() -> named.setClientID("other")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> connection.setClientID("late"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldNotBeEmpty() throws JMSException {
    try (Connection fresh = factory(SuiteBroker.broker(), "").createConnection()) {
      assertThatThrownBy(() -> fresh.setClientID("")).isInstanceOf(InvalidClientIDException.class);
    }
  }
}
