package io.amphora.amqp.testkit;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The types of all fields (parts 2, 3 and 5): decoders of other clients read each field into a
 * variable of its type and fail on another one, also on one that would hold the value.
 */
public final class FieldTypes {

  private static final Set<Integer> STRING = Set.of(0xa1, 0xb1);
  private static final Set<Integer> SYMBOL = Set.of(0xa3, 0xb3);
  private static final Set<Integer> BINARY = Set.of(0xa0, 0xb0);
  private static final Set<Integer> SYMBOLS = Set.of(0xe0, 0xf0);
  private static final Set<Integer> MAP = Set.of(0xc1, 0xd1);
  private static final Set<Integer> UINT = Set.of(0x43, 0x52, 0x70);
  private static final Set<Integer> ULONG = Set.of(0x44, 0x53, 0x80);
  private static final Set<Integer> USHORT = Set.of(0x60);
  private static final Set<Integer> UBYTE = Set.of(0x50);
  private static final Set<Integer> BOOLEAN = Set.of(0x41, 0x42, 0x56);
  private static final Set<Integer> DESCRIBED = Set.of(0x00);

  private static final Map<Integer, List<Set<Integer>>> TYPES =
      Map.ofEntries(
          Map.entry(
              RawFrame.OPEN,
              List.of(STRING, STRING, UINT, USHORT, UINT, SYMBOLS, SYMBOLS, SYMBOLS, SYMBOLS, MAP)),
          Map.entry(RawFrame.BEGIN, List.of(USHORT, UINT, UINT, UINT, UINT, SYMBOLS, SYMBOLS, MAP)),
          Map.entry(
              RawFrame.ATTACH,
              List.of(
                  STRING, UINT, BOOLEAN, UBYTE, UBYTE, DESCRIBED, DESCRIBED, MAP, BOOLEAN, UINT,
                  ULONG, SYMBOLS, SYMBOLS, MAP)),
          Map.entry(
              RawFrame.FLOW,
              List.of(UINT, UINT, UINT, UINT, UINT, UINT, UINT, UINT, BOOLEAN, BOOLEAN, MAP)),
          Map.entry(
              RawFrame.TRANSFER,
              List.of(
                  UINT, UINT, BINARY, UINT, BOOLEAN, BOOLEAN, UBYTE, DESCRIBED, BOOLEAN, BOOLEAN,
                  BOOLEAN)),
          Map.entry(
              RawFrame.DISPOSITION, List.of(BOOLEAN, UINT, UINT, BOOLEAN, DESCRIBED, BOOLEAN)),
          Map.entry(RawFrame.DETACH, List.of(UINT, BOOLEAN, DESCRIBED)),
          Map.entry(RawFrame.END, List.of(DESCRIBED)),
          Map.entry(RawFrame.CLOSE, List.of(DESCRIBED)),
          Map.entry(0x1d, List.of(SYMBOL, STRING, MAP)),
          Map.entry(
              0x28,
              List.of(
                  STRING, UINT, SYMBOL, UINT, BOOLEAN, MAP, SYMBOL, MAP, DESCRIBED, SYMBOLS,
                  SYMBOLS)),
          Map.entry(0x29, List.of(STRING, UINT, SYMBOL, UINT, BOOLEAN, MAP, SYMBOLS)),
          Map.entry(RawFrame.MECHANISMS, List.of(SYMBOLS)),
          Map.entry(RawFrame.CHALLENGE, List.of(BINARY)),
          Map.entry(RawFrame.OUTCOME, List.of(UBYTE, BINARY)));

  private FieldTypes() {}

  /** Fails unless each field that is not null has its type, in lists inside as well. */
  public static void check(EncodedList list) {
    List<Set<Integer>> types = TYPES.get(list.code());
    if (types == null) {
      throw new AssertionError("unknown descriptor " + Integer.toHexString(list.code()));
    }
    if (list.fields().size() > types.size()) {
      throw new AssertionError("more fields than there are: " + list.fields().size());
    }
    for (int i = 0; i < list.fields().size(); i++) {
      if (list.isNull(i)) {
        continue;
      }
      if (!types.get(i).contains(list.constructor(i))) {
        throw new AssertionError("field %d of %x is %s".formatted(i, list.code(), list.hex(i)));
      }
      if (types.get(i) == DESCRIBED && !isOutcome(list.fields().get(i))) {
        check(list.list(i));
      }
    }
  }

  /** Outcomes may be empty lists. */
  private static boolean isOutcome(byte[] described) {
    return described[2] >= 0x23 && described[2] <= 0x27;
  }
}
