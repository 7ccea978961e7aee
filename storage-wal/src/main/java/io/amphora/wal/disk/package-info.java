/**
 * The log on files. Everything here but {@code DiskWal} and the seam {@code Files} is
 * package-private and owned by the disk thread.
 */
@NullMarked
package io.amphora.wal.disk;

import org.jspecify.annotations.NullMarked;
