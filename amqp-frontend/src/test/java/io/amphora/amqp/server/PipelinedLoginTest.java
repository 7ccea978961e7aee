package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.topology.ScramPassword;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything a client has to say in one write, over a socket of a listener (conventions 1.1). */
@Timeout(60)
class PipelinedLoginTest {

  private ServerRig rig;

  @BeforeEach
  void start() throws Exception {
    rig = new ServerRig();
    rig.broker.withUser(ScramPassword.create("ada", "user", "secret"));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private static byte[] everything(String mechanism, String response) {
    return Wire.join(
        Wire.SASL,
        Wire.saslInit(mechanism, response.replace('|', '\0').getBytes(StandardCharsets.UTF_8)),
        Wire.AMQP,
        Wire.open(),
        Wire.begin(0),
        Wire.sender(0, 0, "out", Wire.target("orders")),
        Wire.receiver(0, 1, "in", Wire.source("orders")));
  }

  /** The outcome, then the end of the stream, and nothing of it reaches the broker. */
  @ParameterizedTest
  @CsvSource({"PLAIN, |ada|wrong", "PLAIN, nonsense", "GSSAPI, x", "SCRAM-SHA-512, nonsense"})
  void shouldEndWithTheOutcomeOfAFailedLogin(String mechanism, String response) throws Exception {
    try (RawClient client = new RawClient(rig.port)) {
      client.send(everything(mechanism, response));
      List<RawFrame> frames = client.rest();
      assertThat(frames.stream().map(RawFrame::code))
          .containsExactly(RawFrame.HEADER, RawFrame.MECHANISMS, RawFrame.OUTCOME);
      assertThat(frames.get(2).get(0)).isEqualTo(UnsignedByte.valueOf((byte) 1));
    }
    assertThat(rig.broker.topology().topics()).isEmpty();
    assertThat(rig.broker.requests).isEmpty();
    assertThat(rig.figure("amqp.links")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"PLAIN, |ada|secret", "ANONYMOUS, x"})
  void shouldDoAllOfItAfterAGoodLogin(String mechanism, String response) throws Exception {
    try (RawClient client = new RawClient(rig.port)) {
      client.send(everything(mechanism, response));
      List<RawFrame> frames = client.until(RawFrame.ATTACH);
      assertThat(frames.stream().map(RawFrame::code))
          .containsExactly(
              RawFrame.HEADER,
              RawFrame.MECHANISMS,
              RawFrame.OUTCOME,
              RawFrame.HEADER,
              RawFrame.OPEN,
              RawFrame.BEGIN,
              RawFrame.ATTACH);
      client.until(RawFrame.ATTACH);
      assertThat(rig.broker.topology().topics()).containsKey("orders");
      client.hangUp();
    }
  }

  /** Conventions 1.5: the client shall read the outcome, not a reset. */
  @Test
  void shouldCloseTheSocketItselfAfterAFailedOutcome() throws Exception {
    try (RawClient client = new RawClient(rig.port)) {
      client.send(Wire.SASL, Wire.saslInit("GSSAPI", null));
      assertThat(client.rest()).hasSize(3);
    }
  }
}
