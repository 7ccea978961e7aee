package io.amphora.amqp.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks a message that comes in pieces as {@link MessageScanner} checks a whole one, without
 * keeping it: bodies are stepped over by their size, and only the few bytes that begin a section,
 * and the footer, are held. For one message.
 */
public final class StreamScanner {

  /** All sections before the body must lie in the first piece, which is at least this large. */
  public static final int HEAD_BYTES = 1 << 20;

  private static final int FOOTER_MOST = 1 << 20;

  /** Enough for a descriptor, a few nested ones and a size. */
  private static final int SECTION_START_MOST = 1 << 12;

  private static final byte[] NONE = new byte[0];

  private final MessageScanner scanner = new MessageScanner();

  /** Bytes of the section that is stepped over. */
  private long skip;

  /** What is held: the start of a section, or of the footer. */
  private byte[] held = NONE;

  private int heldSize;
  private int last;

  /** What the first piece says: sections before the body, and where the bare message begins. */
  public record Head(ScannedMessage sections, int bareStart) {}

  /**
   * Scans the first piece of a message of format 0.
   *
   * @param array not kept
   * @throws MalformedMessageException also when it ends before the sections in front of the body do
   */
  public Head begin(byte[] array, int start, int end) throws MalformedMessageException {
    ScannedMessage message = scanner.begin(array, start, end);
    int at = start;
    while (at < end) {
      Section section = sectionAt(array, at, end);
      if (section == null || section.code >= MessageScanner.DATA) {
        break;
      }
      if (section.end > end) {
        throw headTooLong();
      }
      scanner.take(section.code, at, section.value, (int) section.end);
      last = section.code;
      at = (int) section.end;
    }
    // Whatever comes now belongs to the bare message, also when it is not yet known what it is.
    scanner.markBare(MessageScanner.DATA, at);
    Head head = new Head(message.copyOfHead(), message.bodyStart);
    feed(array, at, end);
    return head;
  }

  private static MalformedMessageException headTooLong() {
    return new MalformedMessageException(
        "the sections before the body of a large message have more than " + HEAD_BYTES + " bytes");
  }

  /** A message of another format: opaque, nothing to check. */
  public static Head opaque(int start) {
    ScannedMessage message = new ScannedMessage();
    message.reset(NONE, 0, 0);
    return new Head(message, start);
  }

  /**
   * Checks the next bytes, not to be called for opaque messages.
   *
   * @param array not kept
   */
  public void feed(byte[] array, int start, int end) throws MalformedMessageException {
    int at = start;
    while (at < end) {
      if (skip > 0) {
        int step = (int) Math.min(skip, end - at);
        skip -= step;
        at += step;
      } else if (heldSize > 0) {
        at = hold(array, at, end);
      } else {
        at = section(array, at, end);
      }
    }
  }

  /** The message is complete. */
  public void end() throws MalformedMessageException {
    if (heldSize > 0) {
      int value = MessageScanner.valueOf(held, 0, heldSize);
      int code = MessageScanner.codeOf(held, 0, value, heldSize);
      MessageScanner.checkOrder(last, code);
      if (code != MessageScanner.FOOTER || Wire.skip(held, value, heldSize) != heldSize) {
        throw new MalformedMessageException("a value is cut off");
      }
      MessageScanner.checkAnnotations(held, value, heldSize);
    } else if (skip > 0) {
      throw new MalformedMessageException("a value is cut off");
    }
  }

  /** A section begins here, with nothing held. */
  private int section(byte[] a, int at, int end) throws MalformedMessageException {
    Section section = sectionAt(a, at, end);
    if (section == null || section.code == MessageScanner.FOOTER) {
      return hold(a, at, end);
    }
    return enter(a, at, section, end);
  }

  private int enter(byte[] a, int at, Section section, int end) throws MalformedMessageException {
    if (section.code < MessageScanner.DATA) {
      throw headTooLong();
    }
    MessageScanner.checkBody(section.code, a[section.value] & 0xFF);
    last = section.code;
    int stop = (int) Math.min(end, section.end);
    skip = section.end - stop;
    return Math.max(at, stop);
  }

  /** Keeps bytes until they say what section begins; a footer is kept as a whole. */
  private int hold(byte[] a, int at, int end) throws MalformedMessageException {
    boolean footer = isFooter();
    int most = footer ? FOOTER_MOST : SECTION_START_MOST;
    int count = Math.min(end - at, most - heldSize);
    if (count <= 0) {
      throw new MalformedMessageException(
          footer ? "the footer has more than 1 MiB" : "a descriptor is too long");
    }
    if (!footer) {
      // Few bytes decide: taken one by one, none of the next section is held with them.
      count = 1;
    }
    if (heldSize + count > held.length) {
      held = Arrays.copyOf(held, Math.max(heldSize + count, Math.min(most, held.length * 2 + 64)));
    }
    System.arraycopy(a, at, held, heldSize, count);
    heldSize += count;
    if (!footer) {
      release();
    }
    return at + count;
  }

  private boolean isFooter() throws MalformedMessageException {
    Section section = heldSize == 0 ? null : sectionAt(held, 0, heldSize);
    return section != null && section.code == MessageScanner.FOOTER;
  }

  private void release() throws MalformedMessageException {
    Section section = sectionAt(held, 0, heldSize);
    if (section != null && section.code != MessageScanner.FOOTER) {
      enter(held, 0, section, heldSize);
      heldSize = 0;
      held = NONE;
    }
  }

  /** The section at an index; null when more bytes are needed to say what it is. */
  private @Nullable Section sectionAt(byte[] a, int at, int end) throws MalformedMessageException {
    if (a[at] != 0) {
      throw new MalformedMessageException("a section has no descriptor");
    }
    long value = Wire.extent(a, at + 1, end);
    if (value - at > SECTION_START_MOST) {
      throw new MalformedMessageException("a descriptor is too long");
    }
    if (value < 0 || value >= end) {
      return null;
    }
    int code = MessageScanner.codeOf(a, at, (int) value, end);
    MessageScanner.checkOrder(last, code);
    long stop = Wire.extent(a, (int) value, end);
    return stop < 0 ? null : new Section(code, (int) value, stop);
  }

  /**
   * What a section begins with.
   *
   * @param code its descriptor
   * @param value index of its constructor
   * @param end index after it, maybe beyond what is there
   */
  private record Section(int code, int value, long end) {}
}
