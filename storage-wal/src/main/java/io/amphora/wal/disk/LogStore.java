package io.amphora.wal.disk;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogName;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.OpenedLog;
import io.amphora.wal.WalException;
import io.amphora.wal.WalLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs and documents of one data directory. Owned by the disk thread, except for {@link
 * #start}, which runs before that thread does.
 */
final class LogStore {

  private static final Logger LOG = LoggerFactory.getLogger(LogStore.class);

  /** Ends the name of a folder that is being made. */
  static final String NEW = ".new";

  private final Path logs;
  private final Path documents;
  private final Path trash;
  private final DiskTools tools;
  private final Files files;
  private final CleanMarker marker;
  private final Map<LogName, SegmentedLog> open = new HashMap<>();

  LogStore(Path data, DiskTools tools) {
    this.logs = data.resolve("logs");
    this.documents = data.resolve("documents");
    this.trash = data.resolve("trash");
    this.tools = tools;
    this.files = tools.files();
    this.marker = new CleanMarker(files, data);
  }

  /** Takes the clean-shutdown marker, clears leftovers and lists the logs there are. */
  List<LogName> start() throws IOException {
    boolean first = !files.exists(logs);
    for (Path folder : List.of(logs, documents, trash)) {
      files.createDirectories(folder);
    }
    files.forceDirectory(AtomicFile.parent(logs));
    if (first) {
      forceAbove(AtomicFile.parent(logs));
    }
    marker.take();
    for (String left : files.list(trash)) {
      erase(trash.resolve(left));
    }
    List<LogName> names = new ArrayList<>();
    for (String folder : files.list(logs)) {
      if (folder.endsWith(NEW)) {
        erase(logs.resolve(folder)); // its creation was never acknowledged
      } else {
        nameIn(folder).ifPresent(names::add);
      }
    }
    return List.copyOf(names);
  }

  /** The data directory may have been made just now, its parents, too: their names must stay. */
  private void forceAbove(Path data) {
    for (Path at = data.toAbsolutePath().getParent(); at != null; at = at.getParent()) {
      try {
        files.forceDirectory(at);
      } catch (IOException e) {
        LOG.debug("{} cannot be forced; whoever may write to it has to", at, e);
      }
    }
  }

  /** A folder that cannot tell its name is data all the same: its own name says most of it. */
  private Optional<LogName> nameIn(String folder) throws IOException {
    try {
      return Optional.of(new PartitionFolder(files, logs.resolve(folder)).readMeta().name());
    } catch (WalException e) {
      LOG.error("{} cannot be opened: {}", logs.resolve(folder), e.getMessage());
      return PartitionFolder.nameFrom(folder);
    }
  }

  /** Opens a log, creating it when it does not exist. */
  OpenedLog open(OpenRequest request, Function<SegmentedLog, WalLog> handle) throws IOException {
    LogName name = request.name();
    if (open.containsKey(name)) {
      throw new WalException(WalException.Kind.IO, "log " + name + " is open already");
    }
    PartitionFolder folder = folderOf(name);
    boolean isNew = !files.exists(folder.path());
    if (isNew) {
      create(folder, request);
    }
    PartitionFolder.Meta meta = folder.readMeta();
    if (!meta.name().equals(name)) {
      throw new WalException(
          WalException.Kind.CORRUPT, folder.path() + " belongs to " + meta.name());
    }
    RecoveredLog found = recover(folder, request.options().flush());
    SegmentedLog log = new SegmentedLog(folder, tools, request, found);
    open.put(name, log);
    byte[] owner = isNew ? new byte[0] : meta.owner();
    return new OpenedLog(handle.apply(log), log.view().state(), owner, !isNew && found.unclean());
  }

  /** A log that is refused stays as it is, and keeps the word that it was closed properly. */
  private RecoveredLog recover(PartitionFolder folder, FlushPolicy flush) throws IOException {
    String folderName = String.valueOf(folder.path().getFileName());
    Optional<CleanMarker.Entry> clean = marker.remove(folderName);
    try {
      return new LogRecovery(folder, clean, flush).recover();
    } catch (IOException | RuntimeException e) {
      clean.ifPresent(entry -> marker.add(folderName, entry));
      throw e;
    }
  }

  /** The folder appears under its name with all that it needs, or not at all. */
  private void create(PartitionFolder folder, OpenRequest request) throws IOException {
    Path path = folder.path();
    PartitionFolder built =
        new PartitionFolder(files, path.resolveSibling(path.getFileName() + NEW));
    erase(built.path());
    files.createDirectories(built.path());
    built.writeMeta(new PartitionFolder.Meta(request.name(), request.newMeta()));
    built.createSegment(0).close();
    files.rename(built.path(), path);
    files.forceDirectory(logs);
  }

  /** Forces and closes a log. */
  void close(SegmentedLog log) throws IOException {
    if (log.close()) {
      long base = log.active().base();
      marker.add(
          PartitionFolder.nameOf(log.name()), new CleanMarker.Entry(base, log.active().size()));
    }
    open.remove(log.name(), log);
  }

  /** Where a log is, or was. */
  PartitionFolder folderOf(LogName name) {
    return new PartitionFolder(files, logs.resolve(PartitionFolder.nameOf(name)));
  }

  /** Moves a log out of the way durably, then erases it. */
  LogName delete(LogName name) throws IOException {
    SegmentedLog log = open.remove(name);
    if (log != null) {
      log.closeDeleted();
    }
    String folder = PartitionFolder.nameOf(name);
    marker.remove(folder);
    if (files.exists(logs.resolve(folder))) {
      Path target = trash.resolve(folder);
      erase(target);
      files.rename(logs.resolve(folder), target);
      files.forceDirectory(trash);
      files.forceDirectory(logs);
      erase(target);
    }
    return name;
  }

  private void erase(Path folder) throws IOException {
    for (String name : files.list(folder)) {
      files.delete(folder.resolve(name));
    }
    files.delete(folder);
  }

  String writeDocument(String name, byte[] content) throws IOException {
    AtomicFile.replace(files, document(name), content);
    return name;
  }

  byte[] readDocument(String name) throws IOException {
    return AtomicFile.read(files, document(name)).orElse(new byte[0]);
  }

  private Path document(String name) {
    if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}")
        || name.endsWith(AtomicFile.TEMPORARY)) {
      throw new WalException(WalException.Kind.IO, "not a document name: " + name);
    }
    return documents.resolve(name);
  }

  /** Every log is unusable after an error that nobody can explain. */
  void failAll(IOException cause) {
    List.copyOf(open.values()).forEach(log -> log.fail(cause));
  }

  /** Forces and closes everything and leaves the clean-shutdown marker. */
  void closeAll() {
    try {
      for (SegmentedLog log : List.copyOf(open.values())) {
        close(log);
      }
      marker.leave();
    } catch (IOException e) {
      LOG.warn("no clean-shutdown marker could be left, the next start scans the logs", e);
    }
  }
}
