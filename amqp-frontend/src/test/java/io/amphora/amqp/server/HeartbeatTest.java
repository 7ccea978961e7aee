package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.Wire;
import java.io.DataInputStream;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that tolerates less silence than the broker waits for an open (B14). */
@Timeout(30)
class HeartbeatTest {

  private static final int IDLE_MILLIS = 3000;

  @Test
  void shouldBeatBeforeThePeerGivesUpOnItsFirstSilence() throws Exception {
    try (ServerRig rig = new ServerRig();
        Socket socket = new Socket("127.0.0.1", rig.port)) {
      socket.setSoTimeout(IDLE_MILLIS); // what the peer announced: it would hang up then
      socket.getOutputStream().write(Wire.join(Wire.AMQP, Wire.open(65536, IDLE_MILLIS)));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.skipNBytes(8);
      int open = in.readInt();
      in.skipNBytes(open - 4);
      assertThat(in.readInt()).as("size of an empty frame").isEqualTo(8);
    }
  }
}
