package io.amphora.amqp.codec;

import java.nio.charset.StandardCharsets;

/**
 * Finds the sections of a message (part 3, section 3.2) without decoding them, and refuses bytes
 * that are no message: sections out of order, cut off, or of the wrong type. Bodies are walked over
 * but not looked into.
 */
public final class MessageScanner {

  private static final byte[] PARTITION_KEY =
      "x-opt-partition-key".getBytes(StandardCharsets.US_ASCII);

  private static final int HEADER = 0x70;
  private static final int DELIVERY_ANNOTATIONS = 0x71;
  private static final int MESSAGE_ANNOTATIONS = 0x72;
  private static final int PROPERTIES = 0x73;
  private static final int APPLICATION_PROPERTIES = 0x74;
  static final int DATA = 0x75;
  static final int SEQUENCE = 0x76;
  static final int VALUE = 0x77;
  static final int FOOTER = 0x78;

  /** Index of {@code to} and {@code group-id} among the properties. */
  private static final int TO = 2;

  private static final int GROUP_ID = 10;

  private final ScannedMessage message = new ScannedMessage();
  private boolean keyFromAnnotation;
  private boolean bare;

  /**
   * Scans one message of format 0.
   *
   * @return the sections; valid until the next call
   */
  public ScannedMessage scan(byte[] array, int start, int end) throws MalformedMessageException {
    if (start == end) {
      throw new MalformedMessageException("an empty message");
    }
    begin(array, start, end);
    int at = start;
    int last = 0;
    while (at < end) {
      int value = valueOf(array, at, end);
      int code = codeOf(array, at, value, end);
      checkOrder(last, code);
      int next = Wire.skip(array, value, end);
      take(code, at, value, next);
      last = code;
      at = next;
    }
    return message;
  }

  /** The first of several calls of {@link #take}. */
  ScannedMessage begin(byte[] array, int start, int end) {
    message.reset(array, start, end);
    keyFromAnnotation = false;
    bare = false;
    return message;
  }

  /** Checks and remembers one whole section. */
  void take(int code, int at, int value, int next) throws MalformedMessageException {
    onSection(code, at, value, next);
    markBare(code, at);
  }

  /** The bare message begins with the first section behind the annotations. */
  void markBare(int code, int at) {
    if (!bare && code >= PROPERTIES) {
      message.bodyStart = at;
      bare = true;
    }
  }

  /** A message of another format: opaque, all body. */
  public ScannedMessage opaque(byte[] array, int start, int end) {
    message.reset(array, start, end);
    message.bodyStart = start;
    return message;
  }

  /** Index of the constructor after the descriptor. */
  static int valueOf(byte[] a, int at, int end) throws MalformedMessageException {
    if (a[at] != 0) {
      throw new MalformedMessageException("a section has no descriptor");
    }
    return Wire.skip(a, at + 1, end);
  }

  /** Code of the section at {@code at}, whose value is at {@code value}. */
  static int codeOf(byte[] a, int at, int value, int end) throws MalformedMessageException {
    int constructor = Wire.u8(a, at + 1, end);
    long code = -1;
    if (constructor == 0x53) {
      code = Wire.u8(a, at + 2, end);
    } else if (constructor == 0x80) {
      code = ((long) Wire.i32(a, at + 2, end) << 32) | (Wire.i32(a, at + 6, end) & 0xFFFFFFFFL);
    } else if (constructor == 0xa3 || constructor == 0xb3) {
      int start = Wire.content(a, at + 1, end);
      code = SectionNames.code(new String(a, start, value - start, StandardCharsets.US_ASCII));
    }
    if (code < HEADER || code > FOOTER) {
      throw new MalformedMessageException("an unknown section");
    }
    return (int) code;
  }

  static void checkOrder(int last, int code) throws MalformedMessageException {
    boolean repeats = last == code && (code == DATA || code == SEQUENCE);
    boolean mixed = last >= DATA && last < FOOTER && code < FOOTER && code != last;
    if ((code <= last && !repeats) || mixed) {
      throw new MalformedMessageException("sections are out of order");
    }
  }

  private void onSection(int code, int at, int value, int next) throws MalformedMessageException {
    byte[] a = message.bytes;
    int constructor = a[value] & 0xFF;
    switch (code) {
      case HEADER -> {
        checkList(constructor, value, next);
        message.headerStart = at;
        message.headerEnd = next;
      }
      case DELIVERY_ANNOTATIONS, FOOTER -> checkAnnotations(a, value, next);
      case MESSAGE_ANNOTATIONS -> {
        checkAnnotations(a, value, next);
        message.annotationsStart = at;
        message.annotationsEnd = next;
        findAnnotation(value, next);
      }
      case PROPERTIES -> {
        checkList(constructor, value, next);
        readProperties(value, next);
      }
      case APPLICATION_PROPERTIES -> checkMap(a, value, next);
      case DATA, SEQUENCE, VALUE -> checkBody(code, constructor);
      default -> throw new MalformedMessageException("an unknown section");
    }
  }

  /** Bodies are not looked into, but their type is fixed (part 3, sections 3.2.6 to 3.2.8). */
  static void checkBody(int code, int constructor) throws MalformedMessageException {
    require(code != DATA || Wire.isBinary(constructor), "a data section is not binary");
    require(code != SEQUENCE || Wire.isList(constructor), "a sequence section is not a list");
  }

  private static void require(boolean condition, String problem) throws MalformedMessageException {
    if (!condition) {
      throw new MalformedMessageException(problem);
    }
  }

  private void checkList(int constructor, int value, int next) throws MalformedMessageException {
    require(Wire.isList(constructor), "a section is not a list");
    Wire.checkElements(message.bytes, value, next);
  }

  private static void checkMap(byte[] a, int value, int next) throws MalformedMessageException {
    require(Wire.isMap(a[value] & 0xFF), "a section is not a map");
    require(Wire.count(a, value, next) % 2 == 0, "a map has an odd element");
    Wire.checkElements(a, value, next);
  }

  /**
   * Keys of annotations are symbols; unsigned longs are reserved (part 3, section 3.2.10). Others
   * would break the consumers.
   */
  static void checkAnnotations(byte[] a, int value, int next) throws MalformedMessageException {
    checkMap(a, value, next);
    int element = Wire.elements(a, value, next);
    for (int i = Wire.count(a, value, next); i > 0; i -= 2) {
      require(Wire.isSymbol(a[element] & 0xFF), "the key of an annotation is not a symbol");
      element = Wire.skip(a, Wire.skip(a, element, next), next);
    }
  }

  private void findAnnotation(int value, int next) throws MalformedMessageException {
    byte[] a = message.bytes;
    int count = Wire.count(a, value, next);
    int element = Wire.elements(a, value, next);
    for (int i = 0; i < count; i += 2) {
      int content = Wire.skip(a, element, next);
      int after = Wire.skip(a, content, next);
      if (Wire.textEquals(a, element, next, PARTITION_KEY) && Wire.isText(a[content] & 0xFF)) {
        message.keyStart = Wire.content(a, content, next);
        message.keyEnd = after;
        keyFromAnnotation = true;
        return;
      }
      element = after;
    }
  }

  private void readProperties(int value, int next) throws MalformedMessageException {
    byte[] a = message.bytes;
    int count = Math.min(GROUP_ID + 1, Wire.count(a, value, next));
    int element = Wire.elements(a, value, next);
    for (int i = 0; i < count; i++) {
      int after = Wire.skip(a, element, next);
      if (i == TO && Wire.isText(a[element] & 0xFF)) {
        message.toStart = Wire.content(a, element, next);
        message.toEnd = after;
      } else if (i == GROUP_ID && !keyFromAnnotation && Wire.isText(a[element] & 0xFF)) {
        message.keyStart = Wire.content(a, element, next);
        message.keyEnd = after;
      }
      element = after;
    }
  }
}
