package io.amphora.boot.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Decimal128;
import org.apache.qpid.protonj2.types.Decimal32;
import org.apache.qpid.protonj2.types.Decimal64;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;

/** Between the values of the {@link CaseTable} and those of protonj2. */
final class TypedValue {

  private static final HexFormat HEX = HexFormat.of();

  private TypedValue() {}

  /** The value of {@code [type, value]}. */
  static Object build(JsonNode typed) {
    JsonNode v = typed.path(1);
    return switch (typed.get(0).asText()) {
      case "null" -> null;
      case "boolean" -> v.asBoolean();
      case "byte" -> (byte) v.asInt();
      case "short" -> (short) v.asInt();
      case "int" -> v.asInt();
      case "long" -> Long.parseLong(v.asText());
      case "float" -> Float.intBitsToFloat((int) bits(v));
      case "double" -> Double.longBitsToDouble(bits(v));
      case "char" -> (char) v.asInt();
      case "string" -> v.asText();
      case "symbol" -> Symbol.valueOf(v.asText());
      case "binary" -> new Binary(HEX.parseHex(v.asText()));
      case "uuid" -> UUID.fromString(v.asText());
      case "timestamp" -> new Date(Long.parseLong(v.asText()));
      case "list" -> list(v);
      case "map" -> map(v);
      case "array" -> array(v.asText(), typed.get(2));
      default -> number(typed.get(0).asText(), v);
    };
  }

  private static Object number(String type, JsonNode v) {
    return switch (type) {
      case "ubyte" -> UnsignedByte.valueOf((byte) v.asInt());
      case "ushort" -> UnsignedShort.valueOf((short) v.asInt());
      case "uint" -> UnsignedInteger.valueOf(v.asLong());
      case "ulong" -> UnsignedLong.valueOf(Long.parseUnsignedLong(v.asText()));
      case "decimal32" -> new Decimal32((int) bits(v));
      case "decimal64" -> new Decimal64(bits(v));
      case "decimal128" -> new Decimal128(HEX.parseHex(v.asText()));
      default -> throw new IllegalArgumentException("unknown type " + type);
    };
  }

  private static long bits(JsonNode hex) {
    return Long.parseUnsignedLong(hex.asText(), 16);
  }

  static List<Object> list(JsonNode values) {
    List<Object> list = new ArrayList<>();
    values.forEach(value -> list.add(build(value)));
    return list;
  }

  private static Map<Object, Object> map(JsonNode pairs) {
    Map<Object, Object> map = new LinkedHashMap<>();
    pairs.forEach(pair -> map.put(build(pair.get(0)), build(pair.get(1))));
    return map;
  }

  private static Object array(String type, JsonNode values) {
    if (type.equals("symbol")) {
      Symbol[] symbols = new Symbol[values.size()];
      Arrays.setAll(symbols, i -> Symbol.valueOf(values.get(i).asText()));
      return symbols;
    }
    int[] numbers = new int[values.size()];
    Arrays.setAll(numbers, i -> values.get(i).asInt());
    return numbers;
  }

  /** A value as {@code [type, value]}. */
  static JsonNode show(Object value) {
    return new ObjectMapper().valueToTree(shown(value));
  }

  private static List<Object> shown(Object value) {
    if (value == null) {
      return List.of("null");
    } else if (value instanceof List<?> list) {
      return List.of("list", list.stream().map(TypedValue::shown).toList());
    } else if (value instanceof Map<?, ?> map) {
      return List.of("map", map.entrySet().stream().map(TypedValue::pair).toList());
    } else if (value instanceof int[] numbers) {
      return List.of("array", "int", Arrays.stream(numbers).boxed().toList());
    } else if (value instanceof Integer[] numbers) {
      return List.of("array", "int", List.of(numbers));
    } else if (value instanceof Symbol[] symbols) {
      return List.of("array", "symbol", Arrays.stream(symbols).map(Symbol::toString).toList());
    }
    return value instanceof Number number ? shownNumber(number) : shownScalar(value);
  }

  private static List<Object> pair(Map.Entry<?, ?> entry) {
    return List.of(shown(entry.getKey()), shown(entry.getValue()));
  }

  private static List<Object> shownScalar(Object value) {
    if (value instanceof Boolean) {
      return List.of("boolean", value);
    } else if (value instanceof String) {
      return List.of("string", value);
    } else if (value instanceof Symbol symbol) {
      return List.of("symbol", symbol.toString());
    } else if (value instanceof Character c) {
      return List.of("char", (int) c);
    } else if (value instanceof UUID uuid) {
      return List.of("uuid", uuid.toString());
    } else if (value instanceof Date date) {
      return List.of("timestamp", String.valueOf(date.getTime()));
    } else if (value instanceof Binary binary) {
      return List.of("binary", HEX.formatHex(binary.asByteArray()));
    } else if (value instanceof byte[] bytes) {
      return List.of("binary", HEX.formatHex(bytes));
    }
    throw new IllegalArgumentException("no type of the table: " + value.getClass());
  }

  private static List<Object> shownNumber(Number value) {
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      String type = value.getClass().getSimpleName();
      return List.of(type.equals("Integer") ? "int" : type.toLowerCase(), value.intValue());
    } else if (value instanceof Long) {
      return List.of("long", value.toString());
    } else if (value instanceof Float f) {
      return List.of("float", HEX.toHexDigits(Float.floatToRawIntBits(f)));
    } else if (value instanceof Double d) {
      return List.of("double", HEX.toHexDigits(Double.doubleToRawLongBits(d)));
    } else if (value instanceof UnsignedByte) {
      return List.of("ubyte", value.intValue());
    } else if (value instanceof UnsignedShort) {
      return List.of("ushort", value.intValue());
    } else if (value instanceof UnsignedInteger) {
      return List.of("uint", value.longValue());
    } else if (value instanceof UnsignedLong) {
      return List.of("ulong", Long.toUnsignedString(value.longValue()));
    } else if (value instanceof Decimal32 d) {
      return List.of("decimal32", HEX.toHexDigits(d.getBits()));
    } else if (value instanceof Decimal64 d) {
      return List.of("decimal64", HEX.toHexDigits(d.getBits()));
    } else if (value instanceof Decimal128 d) {
      return List.of("decimal128", HEX.formatHex(d.asBytes()));
    }
    throw new IllegalArgumentException("no type of the table: " + value.getClass());
  }
}
