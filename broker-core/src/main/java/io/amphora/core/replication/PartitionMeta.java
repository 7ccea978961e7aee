package io.amphora.core.replication;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Content of {@code partition.meta}: which copy of the data this is (safety rule 1). Text, one
 * {@code key=value} a line, so that it can be read beside a broken broker.
 *
 * @param topic full name of the topic
 * @param partition partition number
 * @param incarnation random id of this copy
 */
public record PartitionMeta(String topic, int partition, String incarnation) {

  private static final String VERSION = "amphora-partition=1";

  /** The bytes of the file. */
  public byte[] encode() {
    return String.join(
            "\n",
            VERSION,
            "topic=" + topic,
            "partition=" + partition,
            "incarnation=" + incarnation,
            "")
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException when it is not a complete file of this version
   */
  public static PartitionMeta decode(byte[] bytes) {
    List<String> lines = text(bytes).lines().toList();
    if (lines.size() != 4 || !lines.get(0).equals(VERSION)) {
      throw new IllegalArgumentException("partition.meta is not of version 1");
    }
    PartitionMeta meta =
        new PartitionMeta(
            value(lines.get(1), "topic="),
            Integer.parseInt(value(lines.get(2), "partition=")),
            value(lines.get(3), "incarnation="));
    if (!Arrays.equals(meta.encode(), bytes)) {
      throw new IllegalArgumentException("partition.meta was not written by a broker");
    }
    return meta;
  }

  private static String text(byte[] bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return text.toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("partition.meta is not UTF-8", e);
    }
  }

  private static String value(String line, String key) {
    if (!line.startsWith(key)) {
      throw new IllegalArgumentException("partition.meta lacks " + key);
    }
    return line.substring(key.length());
  }
}
