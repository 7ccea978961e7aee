package io.amphora.wal.disk;

import io.amphora.wal.WalException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which logs were closed properly: a file written at stop, and removed durably at start before any
 * log is opened. It names each log with its last segment and length, so it cannot vouch for a log
 * that it does not know, or that was changed since. Owned by the disk thread.
 */
final class CleanMarker {

  private static final Logger LOG = LoggerFactory.getLogger(CleanMarker.class);
  private static final String NAME = "clean-shutdown";

  /**
   * How a log was closed.
   *
   * @param base base offset of its newest segment
   * @param size length of that file
   */
  record Entry(long base, long size) {}

  private final Files files;
  private final Path file;
  private final Map<String, Entry> entries = new HashMap<>();

  CleanMarker(Files files, Path data) {
    this.files = files;
    this.file = data.resolve(NAME);
  }

  /** Reads the marker and removes it durably. */
  void take() throws IOException {
    load();
    if (files.exists(file)) {
      files.delete(file);
      files.forceDirectory(AtomicFile.parent(file));
    }
  }

  /** Reads the marker and leaves it where it is. */
  void load() throws IOException {
    try {
      Optional<byte[]> content = AtomicFile.read(files, file);
      if (content.isPresent()) {
        decode(content.get());
      }
    } catch (WalException e) {
      LOG.warn("{} is damaged, every log is scanned", file);
    }
  }

  private void decode(byte[] content) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    for (int left = in.readInt(); left > 0; left--) {
      entries.put(in.readUTF(), new Entry(in.readLong(), in.readLong()));
    }
  }

  /** The word for a log. */
  Optional<Entry> get(String folder) {
    return Optional.ofNullable(entries.get(folder));
  }

  /** Removes the word for a log, because it is going to be written. */
  Optional<Entry> remove(String folder) {
    return Optional.ofNullable(entries.remove(folder));
  }

  void add(String folder, Entry entry) {
    entries.put(folder, entry);
  }

  /** Writes the marker at stop. */
  void leave() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(entries.size());
    for (Map.Entry<String, Entry> each : entries.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue().base());
      out.writeLong(each.getValue().size());
    }
    AtomicFile.replace(files, file, bytes.toByteArray());
  }
}
