package io.amphora.amqp.large;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.Situation;
import io.amphora.amqp.codec.MalformedMessageException;
import io.amphora.amqp.codec.ScannedMessage;
import io.amphora.amqp.codec.StreamScanner;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.WalErrors;
import io.amphora.wal.Spool;
import io.amphora.wal.WalException;
import java.util.Optional;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * A message that is too large to be put together in memory: what is in front of its body is kept,
 * the bare message goes to a spool as it comes. When it cannot be taken, the rest is dropped, and
 * the reason is known when it is complete: clients do not listen while they send. Owned by the
 * connection loop.
 */
public final class LargeMessage {

  /** Told what the message takes in memory. */
  public interface Account {

    /** Bytes that are on their way to the spool changed by this number. */
    void waiting(long change);

    /** Bytes that are kept until the message is over changed by this number. */
    void kept(long change);
  }

  private final Loop loop;
  private final Account account;
  private final StreamScanner scanner = new StreamScanner();
  private StreamScanner.Head head = StreamScanner.opaque(0);
  private boolean opaque;
  private @Nullable SpoolWriter writer;
  private @Nullable ErrorCondition problem;
  private @Nullable Runnable ready;
  private int kept;

  public LargeMessage(Loop loop, Account account) {
    this.loop = loop;
    this.account = account;
  }

  /**
   * The first piece, at least {@link StreamScanner#HEAD_BYTES} unless it is all there is.
   *
   * @param format message format; others than 0 are opaque
   * @param opened a spool of its own, or why there is none
   * @param bytes not kept
   */
  public void begin(int format, Reply<Spool> opened, byte[] bytes, int length) {
    opaque = format != 0;
    if (opened instanceof Reply.Failed<Spool> failed) {
      problem = AmqpErrors.of(failed.error());
      return;
    }
    SpoolWriter target = new SpoolWriter(opened.orThrow(), loop, account::waiting, this::onIdle);
    writer = target;
    try {
      head = opaque ? StreamScanner.opaque(0) : scanner.begin(bytes, 0, length);
    } catch (MalformedMessageException e) {
      malformed(e);
      return;
    }
    kept = head.sections().heldBytes();
    account.kept(kept);
    target.add(bytes, head.bareStart(), length - head.bareStart());
  }

  /**
   * More of it.
   *
   * @param bytes not kept
   */
  public void add(byte[] bytes, int start, int length) {
    if (problem != null || writer == null) {
      return;
    }
    try {
      if (!opaque) {
        scanner.feed(bytes, start, start + length);
      }
      writer.add(bytes, start, length);
    } catch (MalformedMessageException e) {
      malformed(e);
    }
  }

  private void malformed(MalformedMessageException e) {
    fail(Situation.MALFORMED.error(String.valueOf(e.getMessage())));
  }

  private void fail(ErrorCondition why) {
    problem = why;
    if (writer != null) {
      writer.discard();
    }
  }

  /**
   * All of it has come.
   *
   * @param then called when {@link #isReady} changes to true later; not when it is true already
   */
  public void complete(Runnable then) {
    ready = then;
    if (problem == null && writer != null) {
      try {
        if (!opaque) {
          scanner.end();
        }
        writer.end();
      } catch (MalformedMessageException e) {
        malformed(e);
      }
    }
  }

  private void onIdle() {
    if (writer != null) {
      writer.failure().ifPresent(error -> fail(notWritten(error)));
    }
    if (ready != null) {
      ready.run();
    }
  }

  private static ErrorCondition notWritten(WalException error) {
    return AmqpErrors.of(WalErrors.toBroker("a large message cannot be kept", error));
  }

  /** Whether it is complete and written, or lost; the next is {@link #take} or {@link #discard}. */
  public boolean isReady() {
    return ready != null && (problem != null || (writer != null && writer.isDone()));
  }

  /** Why it is lost. */
  public Optional<ErrorCondition> problem() {
    return Optional.ofNullable(problem);
  }

  /** What is in front of the body; the body is not among it. */
  public ScannedMessage sections() {
    return head.sections();
  }

  /** Hands the spool over; nothing is to be done about it here any more. */
  public Spool take() {
    if (writer == null || !isReady() || problem != null) {
      throw new IllegalStateException("the message is not ready");
    }
    release();
    return writer.spool();
  }

  /** Nobody wants it: nothing of it stays. */
  public void discard() {
    release();
    if (writer != null) {
      writer.discard();
    }
  }

  private void release() {
    account.kept(-kept);
    kept = 0;
  }
}
