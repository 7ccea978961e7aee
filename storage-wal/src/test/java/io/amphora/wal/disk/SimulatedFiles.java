package io.amphora.wal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A file system in memory that can lose power, fill up, fail forces and stop at the n-th change.
 * Content survives power loss when its file was forced, a name when its directory was. What was not
 * forced survives or not, sector by sector and name by name, as the random source says: order is
 * not kept, as on a real disk. Self-contained, safe for use by several threads (one lock).
 */
public final class SimulatedFiles implements Files {

  /** Thrown by every operation after the power went off. */
  public static final class PowerLossException extends IOException {
    private static final long serialVersionUID = 1L;

    PowerLossException() {
      super("the power is off");
    }
  }

  /** A file, whatever its name: content now, and content as last forced. */
  private static final class Node {
    byte[] now = new byte[0];
    byte[] forced = new byte[0];
  }

  /**
   * One change of a directory that was not forced yet; a rename is one change with two names.
   *
   * @param moved from where to where a directory was renamed; empty for a file
   */
  private record NameChange(
      List<Path> paths, List<Node> nodes, List<Path> parents, List<Path> moved) {}

  private final Object lock = new Object();
  private final Map<Path, Node> names = new TreeMap<>();
  private final Map<Path, Node> durableNames = new TreeMap<>();
  private final Map<Path, Boolean> directories = new TreeMap<>();
  private final List<NameChange> unforced = new ArrayList<>();
  private final Map<Path, Boolean> locks = new TreeMap<>();
  private long capacity = Long.MAX_VALUE / 4;
  private long changesLeft = Long.MAX_VALUE;
  private long changes;
  private boolean off;
  private Predicate<Path> failForce = path -> false;
  private int forcesAfterFailure;
  private final Set<SimulatedHandle> handles = new HashSet<>();
  private int mostOpen;
  private Consumer<Path> onDelete = path -> {};

  // ---- what a test does to it

  /** Turns the power off at the n-th change from now; that change itself is torn. */
  public void crashAfter(long changesFromNow) {
    synchronized (lock) {
      changesLeft = changesFromNow;
    }
  }

  /** Number of writes, forces, renames and so on so far. */
  public long changes() {
    synchronized (lock) {
      return changes;
    }
  }

  /** Turns the power off now. */
  public void powerOff() {
    synchronized (lock) {
      off = true;
    }
  }

  /** True after the power went off. */
  public boolean isOff() {
    synchronized (lock) {
      return off;
    }
  }

  /** What a disk holds after the power comes back, on a new machine. */
  public SimulatedFiles afterPowerLoss(Random random) {
    synchronized (lock) {
      SimulatedFiles next = new SimulatedFiles();
      Map<Path, Node> image = new TreeMap<>(durableNames);
      next.directories.putAll(directories);
      for (NameChange change : unforced) {
        if (random.nextBoolean()) {
          apply(change, image);
        } else if (!change.moved().isEmpty()) {
          next.directories.remove(change.moved().get(1));
          next.directories.put(change.moved().get(0), true);
        }
      }
      Map<Node, Node> copies = new java.util.IdentityHashMap<>();
      image.forEach(
          (path, node) -> {
            Node copy = copies.computeIfAbsent(node, known -> survivor(known, random));
            next.names.put(path, copy);
            next.durableNames.put(path, copy);
          });
      next.capacity = capacity;
      return next;
    }
  }

  private static Node survivor(Node node, Random random) {
    Node copy = new Node();
    copy.now = SectorLoss.survivor(node.now, node.forced, random);
    copy.forced = copy.now.clone();
    return copy;
  }

  /** A kill of the process: everything written is there, forced or not. */
  public SimulatedFiles afterKill() {
    synchronized (lock) {
      SimulatedFiles next = new SimulatedFiles();
      names.forEach(
          (path, node) -> {
            Node copy = new Node();
            copy.now = node.now.clone();
            copy.forced = node.now.clone();
            next.names.put(path, copy);
            next.durableNames.put(path, copy);
          });
      next.directories.putAll(directories);
      next.capacity = capacity;
      return next;
    }
  }

  /** Sets how many bytes fit on the disk. */
  public void setCapacity(long bytes) {
    synchronized (lock) {
      capacity = bytes;
    }
  }

  /** Bytes of all files. */
  public long used() {
    synchronized (lock) {
      return names.values().stream().mapToLong(node -> node.now.length).sum();
    }
  }

  /** Makes forces of matching files fail, and lose what was to be forced. */
  public void failForces(Predicate<Path> files) {
    synchronized (lock) {
      failForce = files;
    }
  }

  /** Forces of a file that were tried after one of it had failed. */
  public int forcesAfterFailure() {
    synchronized (lock) {
      return forcesAfterFailure;
    }
  }

  /** Open handles of files that have no name any more: their space is still taken. */
  public int openWithoutName() {
    synchronized (lock) {
      return (int) handles.stream().filter(h -> !names.containsValue(h.node)).count();
    }
  }

  /** The most handles that were open at once. */
  public int mostOpen() {
    synchronized (lock) {
      return mostOpen;
    }
  }

  /** Called after each removal of a name, by the thread that removed it. */
  public void onDelete(Consumer<Path> listener) {
    synchronized (lock) {
      onDelete = listener;
    }
  }

  /** Content of a file. */
  public byte[] content(Path file) {
    synchronized (lock) {
      return names.get(file).now.clone();
    }
  }

  /** Replaces the content of a file, as if written and forced. */
  public void setContent(Path file, byte[] bytes) {
    synchronized (lock) {
      Node node = names.computeIfAbsent(file, path -> new Node());
      node.now = bytes.clone();
      node.forced = bytes.clone();
      durableNames.put(file, node);
    }
  }

  /** Names of all files. */
  public List<Path> paths() {
    synchronized (lock) {
      return List.copyOf(names.keySet());
    }
  }

  // ---- Files

  private void checkPower() throws IOException {
    if (off) {
      throw new PowerLossException();
    }
  }

  /** Counts a change; true when the power goes off in the middle of it. */
  private boolean change() throws IOException {
    checkPower();
    changes++;
    if (changesLeft-- <= 0) {
      off = true;
    }
    return off;
  }

  private static void apply(NameChange change, Map<Path, Node> target) {
    for (int i = 0; i < change.paths().size(); i++) {
      Node node = change.nodes().get(i);
      if (node == null) {
        target.remove(change.paths().get(i));
      } else {
        target.put(change.paths().get(i), node);
      }
    }
  }

  private void name(List<Path> paths, List<Node> nodes) throws IOException {
    name(new NameChange(paths, nodes, paths.stream().map(Path::getParent).toList(), List.of()));
  }

  private void name(NameChange change) throws IOException {
    boolean torn = change();
    apply(change, names);
    unforced.add(change);
    if (torn) {
      throw new PowerLossException();
    }
  }

  @Override
  public Handle open(Path file, Mode mode) throws IOException {
    synchronized (lock) {
      checkPower();
      Node node = names.get(file);
      if (node == null) {
        if (mode != Mode.CREATE) {
          throw new NoSuchFileException(file.toString());
        }
        node = new Node();
        name(List.of(file), List.of(node));
      }
      return new SimulatedHandle(file, node);
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    synchronized (lock) {
      checkPower();
      return Stream.concat(names.keySet().stream(), directories.keySet().stream())
          .filter(path -> directory.equals(path.getParent()))
          .map(path -> path.getFileName().toString())
          .sorted()
          .distinct()
          .toList();
    }
  }

  @Override
  public boolean exists(Path path) {
    synchronized (lock) {
      return names.containsKey(path) || directories.containsKey(path);
    }
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    synchronized (lock) {
      checkPower();
      for (Path at = directory; at != null; at = at.getParent()) {
        directories.put(at, true);
      }
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    synchronized (lock) {
      if (directories.containsKey(from)) {
        renameDirectory(from, to);
        return;
      }
      Node node = names.get(from);
      if (node == null) {
        throw new NoSuchFileException(from.toString());
      }
      name(List.of(from, to), Arrays.asList(null, node));
    }
  }

  private void renameDirectory(Path from, Path to) throws IOException {
    checkPower();
    List<Path> paths = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    names.forEach(
        (path, node) -> {
          if (path.startsWith(from)) {
            paths.add(path);
            nodes.add(null);
            paths.add(to.resolve(from.relativize(path)));
            nodes.add(node);
          }
        });
    directories.put(to, true);
    directories.remove(from);
    List<Path> parents = List.of(from.getParent(), to.getParent());
    name(new NameChange(paths, nodes, parents, List.of(from, to)));
  }

  @Override
  public void delete(Path path) throws IOException {
    synchronized (lock) {
      checkPower();
      if (directories.remove(path) == null && names.containsKey(path)) {
        name(List.of(path), Arrays.asList((Node) null));
      }
    }
    onDelete.accept(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    synchronized (lock) {
      if (change()) {
        throw new PowerLossException();
      }
      List<NameChange> left = new ArrayList<>();
      for (NameChange change : unforced) {
        if (change.parents().contains(directory)) {
          apply(change, durableNames);
        } else {
          left.add(change);
        }
      }
      unforced.clear();
      unforced.addAll(left);
    }
  }

  @Override
  public long freeBytes(Path directory) {
    synchronized (lock) {
      return Math.max(0, capacity - used());
    }
  }

  @Override
  public long totalBytes(Path directory) {
    synchronized (lock) {
      return capacity;
    }
  }

  @Override
  public Closeable lock(Path file) throws IOException {
    synchronized (lock) {
      if (locks.putIfAbsent(file, true) != null) {
        throw new LockedException(file + " is locked");
      }
      return () -> {
        synchronized (lock) {
          locks.remove(file);
        }
      };
    }
  }

  private final class SimulatedHandle implements Handle {
    private final Path path;
    private final Node node;
    private boolean failed;

    SimulatedHandle(Path path, Node node) {
      this.path = path;
      this.node = node;
      handles.add(this);
      mostOpen = Math.max(mostOpen, handles.size());
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      synchronized (lock) {
        checkPower();
        if (position >= node.now.length) {
          return -1;
        }
        int count = (int) Math.min(target.remaining(), node.now.length - position);
        target.put(node.now, (int) position, count);
        return count;
      }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      synchronized (lock) {
        boolean torn = change();
        long end = position + source.remaining();
        long room = capacity - used() + node.now.length;
        boolean full = end > Math.max(room, node.now.length);
        int length = torn ? source.remaining() / 2 : source.remaining();
        if (full) {
          length = (int) Math.max(0, Math.min(length, room - position));
        }
        if (position + length > node.now.length) {
          node.now = Arrays.copyOf(node.now, (int) position + length);
        }
        source.get(node.now, (int) position, length);
        if (torn) {
          throw new PowerLossException();
        }
        if (full) {
          throw new DiskFullException("No space left on device");
        }
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (lock) {
        if (size >= node.now.length) {
          checkPower();
          return;
        }
        boolean torn = change();
        node.now = Arrays.copyOf(node.now, (int) size);
        if (torn) {
          throw new PowerLossException();
        }
      }
    }

    @Override
    public long size() throws IOException {
      synchronized (lock) {
        checkPower();
        return node.now.length;
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (lock) {
        if (failed) {
          forcesAfterFailure++;
        }
        if (change()) {
          throw new PowerLossException();
        }
        if (failForce.test(path)) {
          failed = true;
          throw new IOException("Input/output error");
        }
        node.forced = node.now.clone();
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        handles.remove(this);
      }
    }
  }
}
