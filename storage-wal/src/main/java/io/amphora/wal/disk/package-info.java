/**
 * The log on files. Everything here but {@code DiskWal}, the seam {@code Files} and the offline
 * {@code LogInspector} is package-private and owned by the disk thread.
 */
@NullMarked
package io.amphora.wal.disk;

import org.jspecify.annotations.NullMarked;
