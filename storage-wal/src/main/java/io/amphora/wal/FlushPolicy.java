package io.amphora.wal;

/** When an appended batch is reported as safe. A topic chooses one. */
public enum FlushPolicy {
  /** Only after the file was forced (fdatasync). One force serves all that queued meanwhile. */
  COMMIT,
  /** When written; the file is forced at the latest after the flush interval. */
  INTERVAL,
  /** When written; the operating system decides when it reaches the disk. */
  OS
}
