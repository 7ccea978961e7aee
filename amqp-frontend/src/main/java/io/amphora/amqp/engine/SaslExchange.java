package io.amphora.amqp.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.security.SaslInit;
import org.apache.qpid.proton.amqp.security.SaslResponse;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a connection: protocol headers and SASL frames, up to and without the AMQP
 * header after which the engine starts. After a failed outcome nothing is read any more: the stock
 * layer would let a peer in that failed. Owned by the connection loop.
 */
final class SaslExchange {

  static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

  private static final String PLAIN = "PLAIN";
  private static final String ANONYMOUS = "ANONYMOUS";

  /** Tokens may be larger than the 512 bytes of the standard (conventions 1.2). */
  private static final int MAX_FRAME = 64 << 10;

  private static final int MIN_FRAME = 8;
  private static final int CODE_OK = 0;
  private static final int CODE_AUTH = 1;
  private static final int CODE_TEMPORARY = 4;

  /** Where the exchange stands. */
  enum State {
    HEADER,
    INIT,
    RESPONSE,
    CHECKING,
    AMQP_HEADER,
    /** The peer may open: the engine takes over with the next byte. */
    DONE,
    /** Whatever was written last is written, then the socket is closed. */
    FAILED
  }

  private final boolean anonymous;
  private final CredentialCheck check;
  private final Runnable resumed;
  private final List<byte[]> output = new ArrayList<>();
  private State state = State.HEADER;
  private @Nullable SaslFrames frames;
  private ByteBuffer input = ByteBuffer.allocate(512).limit(0);
  private String user = "";

  /**
   * @param resumed called when a check that was waited for is over
   */
  SaslExchange(boolean anonymous, CredentialCheck check, Runnable resumed) {
    this.anonymous = anonymous;
    this.check = check;
    this.resumed = resumed;
  }

  State state() {
    return state;
  }

  /** Who was let in; empty for anonymous. */
  String user() {
    return user;
  }

  /** Bytes to write, taken out. */
  List<byte[]> takeOutput() {
    List<byte[]> taken = List.copyOf(output);
    output.clear();
    return taken;
  }

  /** What was read and belongs to the engine; only when done. */
  ByteBuffer rest() {
    return input;
  }

  /** Takes bytes and goes on as far as they reach. */
  void input(ByteBuffer bytes) {
    if (state == State.FAILED) {
      bytes.position(bytes.limit());
      return;
    }
    ByteBuffer joined = ByteBuffer.allocate(input.remaining() + bytes.remaining());
    joined.put(input).put(bytes).flip();
    input = joined;
    if (state == State.CHECKING && input.remaining() > MAX_FRAME * 2) {
      state = State.FAILED;
    }
    advance();
  }

  private void advance() {
    boolean progress = true;
    while (progress) {
      progress =
          switch (state) {
            case HEADER, AMQP_HEADER -> readHeader();
            case INIT, RESPONSE -> readFrame();
            case CHECKING, DONE, FAILED -> false;
          };
    }
  }

  private boolean readHeader() {
    if (input.remaining() < AMQP_HEADER.length) {
      return false;
    }
    byte[] header = new byte[AMQP_HEADER.length];
    input.get(header);
    boolean amqp = Arrays.equals(header, AMQP_HEADER);
    if (state == State.AMQP_HEADER) {
      state = amqp ? State.DONE : State.FAILED;
      if (!amqp) {
        output.add(AMQP_HEADER);
      }
    } else if (Arrays.equals(header, SASL_HEADER)) {
      startSasl();
    } else if (amqp && anonymous) {
      state = State.DONE;
    } else {
      output.add(SASL_HEADER);
      state = State.FAILED;
    }
    return true;
  }

  private void startSasl() {
    frames = new SaslFrames();
    output.add(SASL_HEADER);
    output.add(frames.mechanisms(anonymous ? List.of(PLAIN, ANONYMOUS) : List.of(PLAIN)));
    state = State.INIT;
  }

  private boolean readFrame() {
    if (input.remaining() < MIN_FRAME) {
      return false;
    }
    int size = input.getInt(input.position());
    int bodyStart = (input.get(input.position() + 4) & 0xFF) * 4;
    int type = input.get(input.position() + 5);
    if (size < MIN_FRAME || size > MAX_FRAME || bodyStart < MIN_FRAME || bodyStart > size) {
      return fail(CODE_AUTH);
    }
    if (type != 1) {
      return fail(CODE_AUTH);
    }
    if (input.remaining() < size) {
      return false;
    }
    ByteBuffer body = input.slice(input.position() + bodyStart, size - bodyStart);
    input.position(input.position() + size);
    onBody(decode(body));
    return true;
  }

  private Object decode(ByteBuffer body) {
    try {
      return frames == null ? "" : frames.decode(body);
    } catch (RuntimeException malformed) {
      return malformed;
    }
  }

  private void onBody(Object body) {
    if (state == State.INIT && body instanceof SaslInit init) {
      onInit(init.getMechanism(), init.getInitialResponse());
    } else if (state == State.RESPONSE && body instanceof SaslResponse response) {
      onPlain(bytes(response.getResponse()));
    } else {
      fail(CODE_AUTH);
    }
  }

  private void onInit(Symbol mechanism, @Nullable Binary response) {
    String name = mechanism.toString();
    if (name.equals(ANONYMOUS) && anonymous) {
      succeed("");
    } else if (!name.equals(PLAIN)) {
      fail(CODE_AUTH);
    } else if (response == null) {
      if (frames != null) {
        output.add(frames.challenge(new byte[0]));
      }
      state = State.RESPONSE;
    } else {
      onPlain(bytes(response));
    }
  }

  private static byte[] bytes(@Nullable Binary binary) {
    if (binary == null) {
      return new byte[0];
    }
    int start = binary.getArrayOffset();
    return Arrays.copyOfRange(binary.getArray(), start, start + binary.getLength());
  }

  /** RFC 4616: authzid NUL authcid NUL password. Nobody may act for another user. */
  private void onPlain(byte[] message) {
    String[] parts = new String(message, StandardCharsets.UTF_8).split("\0", -1);
    boolean valid = parts.length == 3 && !parts[1].isEmpty();
    if (!valid || !(parts[0].isEmpty() || parts[0].equals(parts[1]))) {
      fail(CODE_AUTH);
      return;
    }
    state = State.CHECKING;
    check.check(parts[1], parts[2], verdict -> onVerdict(parts[1], verdict));
  }

  private void onVerdict(String name, CredentialCheck.Verdict verdict) {
    if (state != State.CHECKING) {
      return;
    }
    int code =
        switch (verdict) {
          case OK -> CODE_OK;
          case WRONG -> CODE_AUTH;
          case UNAVAILABLE -> CODE_TEMPORARY;
        };
    if (code == CODE_OK) {
      succeed(name);
    } else {
      fail(code);
    }
    advance();
    resumed.run();
  }

  private void succeed(String name) {
    user = name;
    outcome(CODE_OK);
    state = State.AMQP_HEADER;
  }

  private boolean fail(int code) {
    outcome(code);
    state = State.FAILED;
    return false;
  }

  private void outcome(int code) {
    if (frames != null) {
      output.add(frames.outcome(code));
    }
  }
}
