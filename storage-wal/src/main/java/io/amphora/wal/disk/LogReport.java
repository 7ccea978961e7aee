package io.amphora.wal.disk;

import io.amphora.wal.LogName;
import java.nio.file.Path;
import java.util.List;

/**
 * What was found in the files of one log.
 *
 * @param name which log
 * @param segments number of segment files
 * @param contents what the valid batches hold
 * @param damages what is wrong, as far as {@link #MOST_DAMAGES} go; empty for a healthy log
 * @param moreDamages how many are not listed
 * @param remarks what the next start of a broker will do about an unclean stop
 */
public record LogReport(
    LogName name,
    int segments,
    Contents contents,
    List<Damage> damages,
    int moreDamages,
    List<String> remarks) {

  /** So many damages are listed. */
  public static final int MOST_DAMAGES = 100;

  /**
   * Sums over the valid batches.
   *
   * @param firstOffset of the first segment
   * @param endOffset behind the last batch
   * @param batches number of them
   * @param records number of records in them
   * @param bytes their size on disk
   * @param plainBytes their size without compression
   */
  public record Contents(
      long firstOffset, long endOffset, long batches, long records, long bytes, long plainBytes) {}

  /**
   * Something wrong.
   *
   * @param file where
   * @param position byte in the file, 0 when the file as a whole is meant
   * @param text one sentence with file and position, without its end
   */
  public record Damage(Path file, long position, String text) {}

  /** True when nothing is wrong. */
  public boolean healthy() {
    return damages.isEmpty();
  }
}
