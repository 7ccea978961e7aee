package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.amqp.codec.MalformedMessageException;
import io.amphora.amqp.codec.Section;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.codec.Compression;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A stored batch for people and programs. Its checksum was right, or it would be none.
 *
 * @param batch with its records at hand
 * @param file where it is
 * @param position where it starts there
 */
record BatchView(RecordBatch batch, Path file, long position) {

  private static final int LONGEST_KEY = 64;

  String line() {
    return "batch %d to %d  epoch %d  %s  records %d  size %d%s  crc ok%s  %s:%d"
        .formatted(
            batch.baseOffset(),
            batch.endOffset() - 1,
            batch.epoch(),
            time(batch.firstTimestamp()),
            batch.count(),
            batch.size(),
            batch.compression() == Compression.NONE
                ? ""
                : "  " + compression() + " of " + batch.plainSize(),
            batch.isControl() ? "  control" : "",
            file.getFileName(),
            position);
  }

  private String compression() {
    return batch.compression().name().toLowerCase(Locale.ROOT);
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private Stream<LogRecord> records(long from) {
    return StreamSupport.stream(batch.spliterator(), false).filter(r -> r.offset() >= from);
  }

  Stream<String> recordLines(long from) {
    return records(from).map(this::line);
  }

  private String line(LogRecord record) {
    return "  record %d%s%s  header %d  annotations %d  body %d  %s"
        .formatted(
            record.offset(),
            record.hasKey() ? "  key " + text(record.key()) : "",
            record.messageFormat() == 0 ? "" : "  format " + record.messageFormat(),
            record.headerLength(),
            record.annotationsLength(),
            record.bodyLength(),
            sections(record).stream()
                .map(section -> section.name() + " " + section.bytes())
                .collect(Collectors.joining(", ", "[", "]")));
  }

  /** A key as text when it is some, else in hexadecimal; a long one is cut. */
  private static String text(ByteBuffer key) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(key.duplicate()).toString();
      if (text.chars().anyMatch(Character::isISOControl)) {
        text = hex(key);
      }
    } catch (CharacterCodingException e) {
      text = hex(key);
    }
    return text.length() <= LONGEST_KEY ? text : text.substring(0, LONGEST_KEY) + "...";
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[Math.min(bytes.remaining(), LONGEST_KEY)];
    bytes.duplicate().get(copy);
    return "0x" + HexFormat.of().formatHex(copy);
  }

  /** Of the bare message; none for the broker's own records, other formats and large messages. */
  private List<Section> sections(LogRecord record) {
    if (batch.isControl() || record.messageFormat() != 0 || !record.isWhole()) {
      return List.of();
    }
    try {
      int start = record.bodyStart();
      return Section.in(record.array(), start, start + record.bodyLength());
    } catch (MalformedMessageException e) {
      return List.of(); // positions of groups, for one, are no messages
    }
  }

  ObjectNode json(boolean withRecords, long from) {
    ObjectNode json = Output.JSON.createObjectNode();
    json.put("firstOffset", batch.baseOffset()).put("lastOffset", batch.endOffset() - 1);
    json.put("epoch", batch.epoch()).put("timeMillis", batch.firstTimestamp());
    json.put("records", batch.count()).put("size", batch.size());
    json.put("compression", compression()).put("plainSize", batch.plainSize());
    json.put("crc", "ok").put("control", batch.isControl());
    json.put("file", file.toString()).put("position", position);
    if (withRecords) {
      ArrayNode list = json.putArray("list");
      records(from).forEach(record -> add(list.addObject(), record));
    }
    return json;
  }

  private void add(ObjectNode json, LogRecord record) {
    json.put("offset", record.offset()).put("timeMillis", record.timestamp());
    if (record.hasKey()) {
      json.put("key", text(record.key()));
    }
    json.put("messageFormat", record.messageFormat());
    json.put("header", record.headerLength()).put("annotations", record.annotationsLength());
    json.put("body", record.bodyLength());
    ArrayNode list = json.putArray("sections");
    for (Section section : sections(record)) {
      list.addObject().put("name", section.name()).put("bytes", section.bytes());
    }
  }
}
