package io.amphora.amqp.sasl;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
public final class SaslExchange {

  private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

  /** Tokens may be larger than the 512 bytes of the standard (conventions 1.2). */
  private static final int MAX_FRAME = 64 << 10;

  private static final int MIN_FRAME = 8;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Where the exchange stands. */
  public enum State {
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
  private final Mechanisms mechanisms;
  private final Runnable resumed;
  private final List<byte[]> output = new ArrayList<>();
  private State state = State.HEADER;
  private @Nullable SaslFrames frames;
  private ByteBuffer input = NOTHING;
  private @Nullable Mechanism mechanism;
  private Identity identity = Identity.ANONYMOUS;

  /**
   * @param resumed called when a check that was waited for is over
   */
  public SaslExchange(boolean anonymous, CredentialCheck check, Runnable resumed) {
    this.anonymous = anonymous;
    this.mechanisms = new Mechanisms(anonymous, check);
    this.resumed = resumed;
  }

  public State state() {
    return state;
  }

  /** Who was let in; only when done. */
  public Identity identity() {
    return identity;
  }

  /** Bytes to write, taken out. */
  public List<byte[]> takeOutput() {
    List<byte[]> taken = List.copyOf(output);
    output.clear();
    return taken;
  }

  /** What was read behind the AMQP header and belongs to the engine, taken out; only when done. */
  public ByteBuffer rest() {
    ByteBuffer rest = input;
    input = NOTHING;
    frames = null;
    return rest;
  }

  /** Takes bytes and goes on as far as they reach. */
  public void input(ByteBuffer bytes) {
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

  /**
   * Time is up. A check that hangs is trouble of ours: the client may try again, where an end
   * without an outcome would make it try for ever (conventions 1.5).
   */
  public void giveUp() {
    if (state == State.CHECKING) {
      fail(Step.Code.TEMPORARY);
    }
    state = State.FAILED;
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
    output.add(frames.mechanisms(mechanisms.offered()));
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
      return fail(Step.Code.AUTH);
    }
    if (type != 1) {
      return fail(Step.Code.AUTH);
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
    } else if (state == State.RESPONSE
        && mechanism != null
        && body instanceof SaslResponse response) {
      Binary content = response.getResponse();
      respond(mechanism, Optional.of(content == null ? new byte[0] : bytes(content)));
    } else {
      fail(Step.Code.AUTH);
    }
  }

  private void onInit(Symbol name, @Nullable Binary response) {
    mechanisms
        .start(name.toString())
        .ifPresentOrElse(
            chosen -> {
              mechanism = chosen;
              respond(chosen, Optional.ofNullable(response).map(SaslExchange::bytes));
            },
            () -> fail(Step.Code.AUTH));
  }

  private void respond(Mechanism chosen, Optional<byte[]> response) {
    state = State.CHECKING;
    boolean[] later = {false};
    chosen.respond(response, step -> onStep(step, later[0]));
    later[0] = true;
  }

  private void onStep(Step step, boolean later) {
    if (state != State.CHECKING) {
      return;
    }
    if (step instanceof Step.Challenge challenge) {
      state = State.RESPONSE;
      if (frames != null) {
        output.add(frames.challenge(challenge.content()));
      }
    } else if (step instanceof Step.Accepted accepted) {
      identity = accepted.identity();
      outcome(Step.Code.OK);
      state = State.AMQP_HEADER;
    } else if (step instanceof Step.Refused refused) {
      fail(refused.code());
    }
    if (later) {
      advance();
      resumed.run();
    }
  }

  private static byte[] bytes(Binary binary) {
    int start = binary.getArrayOffset();
    return Arrays.copyOfRange(binary.getArray(), start, start + binary.getLength());
  }

  private boolean fail(Step.Code code) {
    outcome(code);
    state = State.FAILED;
    return false;
  }

  private void outcome(Step.Code code) {
    if (frames != null) {
      output.add(frames.outcome(code.value));
    }
  }
}
