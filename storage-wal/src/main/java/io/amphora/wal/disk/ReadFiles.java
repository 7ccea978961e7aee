package io.amphora.wal.disk;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files open for reading and the indexes of closed segments, both bounded, the longest unused go
 * first. Owned by the read thread. The generation in the key parts a file from a later one of the
 * same name.
 */
final class ReadFiles {

  private static final Logger LOG = LoggerFactory.getLogger(ReadFiles.class);
  private static final int MAX_INDEXES = 32;

  /** One segment file in one generation of its log. */
  record Key(PartitionFolder folder, long base, long generation) {}

  private final Files files;
  private final int maxOpen;
  private final Map<Key, Files.Handle> handles = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Key, SegmentIndex> indexes = new LinkedHashMap<>(16, 0.75f, true);

  ReadFiles(Files files, int maxOpen) {
    this.files = files;
    this.maxOpen = maxOpen;
  }

  Files.Handle handle(Key key) throws IOException {
    Files.Handle known = handles.get(key);
    if (known != null) {
      return known;
    }
    if (handles.size() >= maxOpen) {
      Key eldest = handles.keySet().iterator().next();
      Optional.ofNullable(handles.remove(eldest)).ifPresent(ReadFiles::close);
    }
    Files.Handle opened = files.open(key.folder().logFile(key.base()), Files.Mode.READ);
    handles.put(key, opened);
    return opened;
  }

  /** The stored index; an empty one, which makes the reader scan, when it is unusable. */
  SegmentIndex index(Key key) throws IOException {
    SegmentIndex known = indexes.get(key);
    if (known != null) {
      return known;
    }
    SegmentIndex loaded =
        IndexFiles.load(files, key.folder(), key.base())
            .map(IndexFiles.Loaded::index)
            .orElseGet(
                () -> {
                  LOG.warn("index of {} is unusable", key.folder().logFile(key.base()));
                  return new SegmentIndex(0);
                });
    if (indexes.size() >= MAX_INDEXES) {
      indexes.remove(indexes.keySet().iterator().next());
    }
    indexes.put(key, loaded);
    return loaded;
  }

  /** Closes what was opened of a folder before the generation: an open file keeps its space. */
  void forget(PartitionFolder folder, long generation) {
    Predicate<Key> gone = key -> key.generation() < generation && key.folder().equals(folder);
    indexes.keySet().removeIf(gone);
    List<Key> old = handles.keySet().stream().filter(gone).toList();
    old.forEach(key -> Optional.ofNullable(handles.remove(key)).ifPresent(ReadFiles::close));
  }

  private static void close(Files.Handle handle) {
    try {
      handle.close();
    } catch (IOException e) {
      LOG.debug("closing a file opened for reading failed", e);
    }
  }

  void closeAll() {
    handles.values().forEach(ReadFiles::close);
    handles.clear();
    indexes.clear();
  }
}
