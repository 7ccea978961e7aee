package io.amphora.amqp.testkit;

import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.engine.EngineListener;
import io.amphora.amqp.engine.EngineSettings;
import io.amphora.amqp.link.ConnectionLinks;
import io.amphora.amqp.link.LinkOptions;
import io.amphora.amqp.link.NodeMemory;
import io.amphora.amqp.link.Traffic;
import io.amphora.amqp.open.SoleContainers;
import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.sasl.Identity;
import io.amphora.amqp.sasl.TokenCheck;
import io.amphora.core.Reply;
import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** A connection without a socket, its broker in memory, all in one thread. */
public final class EngineRig implements ConnectionLinks.EngineFactory, Traffic {

  public final ManualLoop loop;
  public final FakeBroker broker;
  public final NodeMemory memory;
  private final SoleContainers containers;
  public final ConnectionLinks links;
  public final AmqpEngine engine;
  private final EngineSettings settings;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  /** How passwords are checked; the answer comes when the test wants. */
  public Consumer<CredentialCheck.Verdict> pendingCheck;

  /** Keys of a user, for SCRAM. */
  public Function<String, ScramKeys> scramKeys = user -> new ScramKeys("c2FsdA==", 4096, "", "");

  /** When false the peer does not read. */
  public boolean writable = true;

  /** Answers for a token; null when the broker has no keys for any. */
  public Function<String, Reply<Identity>> tokens;

  /** Whether SCRAM-SHA-512 works for all users. */
  public boolean sha512;

  /** Whether there is {@code $cbs}. */
  public boolean claims;

  public String checkedUser = "";
  public long pendingBytes;
  public int linkCount;

  /** Settled messages that were dropped without a word. */
  public int dropped;

  public EngineRig() {
    this(settings(true, 65536), true);
  }

  public EngineRig(EngineSettings settings, boolean autoCreate) {
    this.settings = settings;
    this.loop = new ManualLoop();
    this.broker = new FakeBroker(loop);
    this.memory = NodeMemory.ofHeap();
    this.containers = new SoleContainers(loop);
    this.links = links(autoCreate);
    this.engine = links.engine();
  }

  /** Another connection to the same broker. */
  public EngineRig(EngineRig other) {
    this.settings = other.settings;
    this.loop = other.loop;
    this.broker = other.broker;
    this.memory = other.memory;
    this.containers = other.containers;
    this.links = links(true);
    this.engine = links.engine();
  }

  private ConnectionLinks links(boolean autoCreate) {
    LinkOptions options = new LinkOptions("b1", autoCreate, 100, memory, containers);
    return new ConnectionLinks(broker, loop, options, this, this);
  }

  public static EngineSettings settings(boolean anonymous, int maxFrameSize) {
    return new EngineSettings("b1", anonymous, maxFrameSize, 255, 1023, 120_000, 30_000);
  }

  @Override
  public AmqpEngine create(EngineListener listener) {
    CredentialCheck check =
        new CredentialCheck() {
          @Override
          public void check(String user, String password, Consumer<Verdict> done) {
            checkedUser = user + "/" + password;
            pendingCheck = done;
          }

          @Override
          public Optional<TokenCheck> tokens() {
            return Optional.ofNullable(tokens)
                .map(known -> (token, done) -> done.accept(known.apply(token)));
          }

          @Override
          public boolean offers(ScramHash hash) {
            return sha512 || hash == ScramHash.SHA_256;
          }

          @Override
          public boolean claims() {
            return claims;
          }

          @Override
          public ScramKeys scramKeys(String user, ScramHash hash) {
            return scramKeys.apply(user);
          }
        };
    return new AmqpEngine(settings, listener, check, this::wake, loop.nowNanos());
  }

  @Override
  public void wake() {
    loop.execute(this::pump);
  }

  private void pump() {
    boolean[] more = {writable};
    for (int turn = 0; more[0] && turn < 100; turn++) {
      more[0] = false;
      engine.run(() -> more[0] = links.fill());
      for (ByteBuffer out = output(); out.hasRemaining(); out = output()) {
        byte[] bytes = new byte[out.remaining()];
        out.get(bytes);
        written.writeBytes(bytes);
        more[0] = true;
      }
    }
    if (engine.outputDone()) {
      engine.reportClosed();
    }
  }

  private ByteBuffer output() {
    return engine.take(loop.nowNanos());
  }

  /** Sends in one read and returns what came back. */
  public List<RawFrame> send(byte[]... parts) {
    return RawFrame.parse(sendRaw(Wire.join(List.of(parts))));
  }

  public byte[] sendRaw(byte[] bytes) {
    engine.input(ByteBuffer.wrap(bytes), loop.nowNanos());
    pump();
    loop.runAll();
    return take();
  }

  /** What was written since. */
  public byte[] take() {
    byte[] bytes = written.toByteArray();
    written.reset();
    return bytes;
  }

  public List<RawFrame> read() {
    loop.runAll();
    return RawFrame.parse(take());
  }

  /** Lets time pass, with ticks as the server makes them. */
  public List<RawFrame> advance(long nanos) {
    long end = loop.nowNanos() + nanos;
    while (end - loop.nowNanos() > 0) {
      long next = Math.min(engine.tick(loop.nowNanos()), engine.expire(loop.nowMillis()));
      pump();
      loop.advance(Math.min(next, end - loop.nowNanos()));
    }
    engine.tick(loop.nowNanos());
    engine.expire(loop.nowMillis());
    pump();
    return read();
  }

  /** Opens without SASL, with one session on channel 0. */
  public EngineRig opened() {
    send(Wire.AMQP, Wire.open(), Wire.begin(0));
    return this;
  }

  @Override
  public void received(int messages) {}

  @Override
  public void dropped() {
    dropped++;
  }

  @Override
  public void sent(int messages) {}

  @Override
  public void links(int change) {
    linkCount += change;
  }

  @Override
  public void pendingBytes(long change) {
    pendingBytes += change;
  }
}
