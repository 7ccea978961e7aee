package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import io.amphora.wal.LogName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Compares all files of one log with each other, as recovery and readers understand them. Reads
 * only. One owner thread, one use.
 */
final class LogAudit {

  private final LogName name;
  private final PartitionFolder folder;
  private final Optional<CleanMarker.Entry> clean;
  private final Findings findings = new Findings();

  /**
   * @param clean how the log was closed; empty when it was not closed properly
   */
  LogAudit(LogName name, PartitionFolder folder, Optional<CleanMarker.Entry> clean) {
    this.name = name;
    this.folder = folder;
    this.clean = clean;
  }

  LogReport run() throws IOException {
    checkSmallFiles();
    List<Long> bases = folder.listBases();
    long first = bases.isEmpty() ? 0 : bases.get(0);
    long end = first;
    if (bases.isEmpty()) {
      findings.damage(folder.path(), 0, folder.path() + " holds no segment");
    } else {
      end = checkSegments(bases);
    }
    return new LogReport(
        name,
        bases.size(),
        findings.contents(first, end),
        findings.damages(),
        findings.moreDamages(),
        findings.remarks());
  }

  private void checkSmallFiles() throws IOException {
    for (Path file : folder.damagedFiles()) {
      findings.damage(file, 0, file + " is damaged: its length or checksum is wrong");
    }
    Path meta = folder.path().resolve(PartitionFolder.META);
    if (!folder.files().exists(meta)) {
      findings.damage(meta, 0, meta + " is missing");
    }
  }

  /** Returns the end of the log. */
  private long checkSegments(List<Long> bases) throws IOException {
    for (int i = 0; i + 1 < bases.size(); i++) {
      new SegmentAudit(folder, bases.get(i), bases.get(i + 1), true, findings).run();
    }
    long newest = bases.get(bases.size() - 1);
    boolean closedProperly = isClean(newest);
    SegmentAudit last = new SegmentAudit(folder, newest, Long.MAX_VALUE, closedProperly, findings);
    last.run();
    checkLogStart(bases, last.end());
    if (findings.isHealthy()) {
      checkEpochs(bases.get(0), closedProperly ? last.end() : last.index().coveredEnd());
    }
    return last.end();
  }

  private boolean isClean(long newest) throws IOException {
    if (clean.isEmpty()) {
      return false;
    }
    Path file = folder.logFile(newest);
    long size;
    try (Files.Handle handle = folder.files().open(file, Files.Mode.READ)) {
      size = handle.size();
    }
    long base = clean.get().base();
    if (base > newest || (base == newest && size < clean.get().size())) {
      Path lost = folder.logFile(base);
      findings.damage(lost, size, lost + " has lost bytes since the log was closed");
    }
    return base == newest && size == clean.get().size();
  }

  private void checkLogStart(List<Long> bases, long end) throws IOException {
    Optional<PartitionFolder.LogStart> start = folder.readLogStart();
    if (start.isEmpty()) {
      return;
    }
    long offset = start.get().offset();
    if (offset > end) {
      findings.remark(folder.path() + " ends at " + end + ", below its start " + offset);
    }
    if (bases.size() > 1 && bases.get(1) <= offset) {
      findings.remark(
          folder.path()
              + " has segments below its start "
              + offset
              + "; the next start erases them");
    }
  }

  /**
   * The epoch file must agree with the log.
   *
   * @param first where the log begins, maybe in the middle of an epoch
   * @param known everything below was durable when the file was written last
   */
  private void checkEpochs(long first, long known) throws IOException {
    Optional<EpochHistory> stored = folder.readEpochs();
    List<EpochStart> found = findings.epochs();
    if (stored.isEmpty()) {
      if (known > first) {
        findings.remark(folder.path() + " has no epoch file, the next start of a broker makes it");
      }
      return;
    }
    List<EpochStart> starts = stored.get().starts();
    for (EpochStart each : found) {
      boolean agrees =
          starts.contains(each)
              || (each.offset() == first
                  && starts.stream()
                      .anyMatch(s -> s.epoch() == each.epoch() && s.offset() < first));
      if (each.offset() < known && !agrees) {
        epochs("lacks epoch " + each.epoch() + " from offset " + each.offset());
      }
    }
    for (EpochStart each : starts) {
      if (each.offset() > first && each.offset() < known && !found.contains(each)) {
        epochs("has epoch " + each.epoch() + " at offset " + each.offset() + ", the log has not");
      }
    }
  }

  private void epochs(String what) {
    Path file = folder.path().resolve(PartitionFolder.EPOCHS);
    findings.damage(file, 0, file + " " + what);
  }
}
