package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.amqp.websocket.ClientFrames;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AMQP in WebSocket frames over a socket. */
@Timeout(60)
class WebSocketTest {

  private static final byte[] REQUEST =
      ("GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Protocol: amqp\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII);

  private static final byte[] CLOSE = ClientFrames.frame(0x88, new byte[] {3, (byte) 0xe8});

  private ServerRig rig;
  private Socket socket;

  @BeforeEach
  void connect() throws Exception {
    rig = new ServerRig();
    socket = new Socket("127.0.0.1", rig.port);
    socket.setSoTimeout(30_000);
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    rig.close();
  }

  private void send(byte[]... parts) throws IOException {
    socket.getOutputStream().write(Wire.join(parts));
  }

  private static byte[] answer(DataInputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      head.write(in.readByte());
    }
    return head.toByteArray();
  }

  /** What the broker sends until it closes, without the frames. */
  private static byte[] payloads(DataInputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int first = in.read(); first == 0x82; first = in.read()) {
      int length = in.read();
      all.writeBytes(in.readNBytes(length == 126 ? in.readUnsignedShort() : length));
    }
    return all.toByteArray();
  }

  @Test
  void shouldAnswerWhatIsPipelinedBehindTheUpgradeAndCutAnywhere() throws Exception {
    byte[] amqp = Wire.join(Wire.AMQP, Wire.open(), Wire.begin(0), Wire.close());
    send(
        REQUEST,
        ClientFrames.frame(0x02, Arrays.copyOf(amqp, 11)),
        ClientFrames.frame(0x80, Arrays.copyOfRange(amqp, 11, amqp.length)));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    assertThat(new String(answer(in), StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 101 ");
    List<RawFrame> frames = RawFrame.parse(payloads(in));
    assertThat(frames).extracting(RawFrame::code).contains(RawFrame.BEGIN);
    send(CLOSE);
    assertThat(in.readAllBytes()).as("the rest of the broker's close frame").hasSizeLessThan(8);
  }

  @Test
  void shouldForgetAClientThatClosesItsWebSocket() throws Exception {
    send(REQUEST, ClientFrames.binary(Wire.join(Wire.AMQP, Wire.open())));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    answer(in);
    assertThat(in.readByte()).as("the begin of the answer").isEqualTo((byte) 0x82);
    assertThat(rig.figure("amqp.connections")).isEqualTo(1);
    send(CLOSE);
    in.readAllBytes();
    rig.close();
    assertThat(rig.figure("amqp.connections")).isZero();
    rig = new ServerRig();
  }

  @Test
  void shouldCountNoConnectionThatDidNotSayWhatItSpeaks() throws Exception {
    send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(said).startsWith("HTTP/1.1 426 ");
    assertThat(rig.figure("amqp.connections.opened")).isZero();
  }
}
