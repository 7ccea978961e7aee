package io.amphora.boot.perf.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a process used, from /proc. The kernel counts in ticks of 10 ms. */
public final class ServerProcess {

  private static final double TICK_MICROS = 10_000;
  private static final int UTIME = 11;
  private static final int STIME = 12;

  private final Path dir;

  /**
   * @param pid 0 for none: all values are then 0
   */
  public ServerProcess(long pid) {
    this.dir = Path.of("/proc", Long.toString(pid));
  }

  /** Microseconds of CPU, user and system, of all threads. */
  public double cpuMicros() {
    if (!Files.exists(dir)) {
      return 0;
    }
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) * TICK_MICROS;
  }

  /** Resident memory in KiB. */
  public long residentKiB() {
    if (!Files.exists(dir)) {
      return 0;
    }
    return read("status")
        .lines()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private String read(String name) {
    try {
      return Files.readString(dir.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
