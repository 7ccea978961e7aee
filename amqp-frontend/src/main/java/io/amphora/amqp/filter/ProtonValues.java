package io.amphora.amqp.filter;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.jspecify.annotations.Nullable;

/**
 * The engine's values as the objects that plugins see: {@link io.amphora.plugin.MessageView} lists
 * them. Pure.
 */
final class ProtonValues {

  private ProtonValues() {}

  /** The engine bounds how deep values are nested. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof DescribedType described) {
      return plain(described.getDescribed());
    } else if (value instanceof Number number) {
      return number(number);
    } else if (value instanceof Date date) {
      return date.toInstant();
    } else if (value instanceof Binary binary) {
      return binary.getArray().clone();
    } else if (value instanceof List<?> list) {
      List<@Nullable Object> values = new ArrayList<>();
      list.forEach(each -> values.add(plain(each)));
      return values;
    } else if (value instanceof Map<?, ?> map) {
      return map(map);
    } else if (value != null && value.getClass().isArray()) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        values.add(plain(Array.get(value, i)));
      }
      return values;
    }
    return value == null || value instanceof Boolean || value instanceof java.util.UUID
        ? value
        : value.toString();
  }

  private static Object number(Number number) {
    if (number instanceof Double || number instanceof Float) {
      return number.doubleValue();
    }
    if (number instanceof UnsignedLong unsigned && unsigned.longValue() < 0) {
      return new BigInteger(unsigned.toString());
    }
    return number.longValue();
  }

  private static Map<Object, @Nullable Object> map(Map<?, ?> map) {
    Map<Object, @Nullable Object> values = new HashMap<>();
    map.forEach(
        (key, value) -> {
          Object plainKey = plain(key);
          if (plainKey != null) {
            values.put(plainKey, plain(value));
          }
        });
    return values;
  }
}
