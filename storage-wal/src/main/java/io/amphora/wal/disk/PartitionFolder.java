package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import io.amphora.wal.LogName;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder of one log: the names of its files and the small ones among them. Used by the disk
 * thread; the read thread asks it for names only.
 *
 * @param files the file system
 * @param path the folder
 */
record PartitionFolder(Files files, Path path) {

  static final String META = "partition.meta";
  static final String EPOCHS = "epochs";
  private static final String LOG_START = "log-start";
  private static final String LOG = ".log";
  private static final int NAME_LENGTH = 60;
  private static final Pattern FOLDER =
      Pattern.compile("(.*)-(\\d{1,9})\\.(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12})");

  /**
   * What {@code partition.meta} holds.
   *
   * @param name full name
   * @param owner the owner's opaque bytes
   */
  record Meta(LogName name, byte[] owner) {}

  /**
   * What {@code log-start} holds.
   *
   * @param offset first offset that can be read
   * @param last last epoch when it was written; epoch 0 when there was none
   */
  record LogStart(long offset, EpochStart last) {}

  /** Folder name: safe characters of the topic, the partition, and the id that makes it unique. */
  static String nameOf(LogName name) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < name.topic().length() && safe.length() < NAME_LENGTH; i++) {
      char c = name.topic().charAt(i);
      boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
      safe.append(plain ? c : '_');
    }
    return safe + "-" + name.partition() + "." + name.topicId();
  }

  /** What a folder's name says, for one whose {@code partition.meta} is damaged. */
  static Optional<LogName> nameFrom(String folder) {
    Matcher parts = FOLDER.matcher(folder);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int partition = Integer.parseInt(parts.group(2));
    return Optional.of(new LogName(parts.group(1), partition, UUID.fromString(parts.group(3))));
  }

  Path logFile(long base) {
    return path.resolve(String.format(Locale.ROOT, "%020d%s", base, LOG));
  }

  Path indexFile(long base) {
    return path.resolve(String.format(Locale.ROOT, "%020d.index", base));
  }

  Path timeIndexFile(long base) {
    return path.resolve(String.format(Locale.ROOT, "%020d.timeindex", base));
  }

  /** Base offsets of the segments, ascending. */
  List<Long> listBases() throws IOException {
    return files.list(path).stream()
        .filter(name -> name.matches("\\d{20}\\.log"))
        .map(name -> Long.parseLong(name.substring(0, 20)))
        .sorted()
        .toList();
  }

  /** Base offsets of the segments, ascending. Erases what an interrupted write left behind. */
  List<Long> bases() throws IOException {
    List<Long> bases = listBases();
    for (String name : files.list(path)) {
      boolean index = name.matches("\\d{20}\\.(index|timeindex)");
      boolean orphan = index && !bases.contains(Long.parseLong(name.substring(0, 20)));
      if (orphan || name.endsWith(AtomicFile.TEMPORARY)) {
        files.delete(path.resolve(name));
      }
    }
    return bases;
  }

  /** Makes an empty segment durably; an index that an erased namesake left is removed first. */
  Files.Handle createSegment(long base) throws IOException {
    deleteIndex(base);
    Files.Handle handle = files.open(logFile(base), Files.Mode.CREATE);
    try {
      handle.truncate(0);
      files.forceDirectory(path);
      return handle;
    } catch (IOException e) {
      handle.close();
      files.delete(logFile(base));
      throw e;
    }
  }

  /** Removes the names of a segment; the caller forces the directory. */
  void deleteSegment(long base) throws IOException {
    deleteIndex(base);
    files.delete(logFile(base));
  }

  void deleteIndex(long base) throws IOException {
    files.delete(indexFile(base));
    files.delete(timeIndexFile(base));
  }

  void force() throws IOException {
    files.forceDirectory(path);
  }

  /** Writes {@code partition.meta} into a folder that is not in place yet. */
  void writeMeta(Meta meta) throws IOException {
    byte[] topic = meta.name().topic().getBytes(StandardCharsets.UTF_8);
    UUID id = meta.name().topicId();
    ByteBuffer buffer = ByteBuffer.allocate(4 + topic.length + 4 + 16 + 4 + meta.owner().length);
    buffer.putInt(topic.length).put(topic).putInt(meta.name().partition());
    buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    buffer.putInt(meta.owner().length).put(meta.owner());
    AtomicFile.write(files, path.resolve(META), buffer.array());
  }

  /**
   * Reads {@code partition.meta}.
   *
   * @throws WalException {@code CORRUPT} when it is damaged or missing: nothing is guessed and
   *     nothing erased
   */
  Meta readMeta() throws IOException {
    byte[] content =
        AtomicFile.read(files, path.resolve(META))
            .orElseThrow(
                () ->
                    new WalException(
                        WalException.Kind.CORRUPT,
                        path.resolve(META)
                            + " is missing, the log is not opened. Restore the file, or move the"
                            + " folder away to give the log up; nothing was deleted"));
    ByteBuffer buffer = ByteBuffer.wrap(content);
    byte[] topic = new byte[buffer.getInt()];
    buffer.get(topic);
    int partition = buffer.getInt();
    UUID id = new UUID(buffer.getLong(), buffer.getLong());
    byte[] owner = new byte[buffer.getInt()];
    buffer.get(owner);
    return new Meta(new LogName(new String(topic, StandardCharsets.UTF_8), partition, id), owner);
  }

  /** Those of the small files that are there and cannot be used. */
  List<Path> damagedFiles() throws IOException {
    List<Path> damaged = new ArrayList<>();
    for (String name : List.of(META, EPOCHS, LOG_START)) {
      try {
        AtomicFile.read(files, path.resolve(name));
      } catch (WalException e) {
        damaged.add(path.resolve(name));
      }
    }
    return damaged;
  }

  void writeEpochs(EpochHistory epochs) throws IOException {
    AtomicFile.replace(files, path.resolve(EPOCHS), epochs.toBytes());
  }

  /** The stored epochs; empty when missing or damaged. */
  Optional<EpochHistory> readEpochs() throws IOException {
    try {
      return AtomicFile.read(files, path.resolve(EPOCHS)).map(EpochHistory::fromBytes);
    } catch (WalException e) {
      return Optional.empty();
    }
  }

  void writeLogStart(LogStart start) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(20);
    buffer.putLong(start.offset()).putInt(start.last().epoch()).putLong(start.last().offset());
    AtomicFile.replace(files, path.resolve(LOG_START), buffer.array());
  }

  /** The stored log start; empty when missing or damaged: then the first segment says it. */
  Optional<LogStart> readLogStart() throws IOException {
    try {
      return AtomicFile.read(files, path.resolve(LOG_START)).map(PartitionFolder::logStart);
    } catch (WalException e) {
      return Optional.empty();
    }
  }

  private static LogStart logStart(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long offset = buffer.getLong();
    return new LogStart(offset, new EpochStart(buffer.getInt(), buffer.getLong()));
  }
}
