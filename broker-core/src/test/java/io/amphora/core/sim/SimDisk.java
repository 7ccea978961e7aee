package io.amphora.core.sim;

import io.amphora.wal.LogName;
import io.amphora.wal.RecordBatch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * What survives a crash of the process: documents, folders, and of each log what was forced. Open
 * it with a {@link SimWal}. The fields that inject faults may be changed at any time.
 */
public final class SimDisk {

  final Map<LogName, SimLogFile> logs = new LinkedHashMap<>();
  final Map<String, byte[]> documents = new LinkedHashMap<>();

  /** Appends and documents are rejected as disk full. */
  public boolean full;

  /** Batches of one record above this size are read head only; bytes. */
  public int largeBytes = RecordBatch.LARGE_BYTES;

  /** The next force, or document write, fails with an I/O error. */
  public boolean failNextWrite;

  /** Appends are refused because the queue is full. */
  public boolean queueFull;

  /** Documents written since the disk was made. */
  public int documentWrites;

  /**
   * The process is gone: of each log the forced batches stay, and maybe some of the others, as many
   * as the random source says, from the front.
   */
  public void crash(Random random) {
    for (SimLogFile log : logs.values()) {
      log.crash(random);
    }
  }

  /** Damages a log: it cannot be opened until this is called with false. */
  public void corrupt(LogName name, boolean corrupt) {
    file(name).corrupt = corrupt;
  }

  /** Removes a log's folder, as an operator's mistake would. */
  public void lose(LogName name) {
    logs.remove(name);
  }

  /** Content of a document, empty when there is none. */
  public byte[] document(String name) {
    return documents.getOrDefault(name, new byte[0]);
  }

  /** Puts a document there, as an operator would; an empty one removes it. */
  public void document(String name, byte[] content) {
    if (content.length == 0) {
      documents.remove(name);
    } else {
      documents.put(name, content);
    }
  }

  /** Names of all logs. */
  public Iterable<LogName> logNames() {
    return java.util.List.copyOf(logs.keySet());
  }

  SimLogFile file(LogName name) {
    SimLogFile file = logs.get(name);
    if (file == null) {
      throw new IllegalStateException("no log " + name);
    }
    return file;
  }
}
