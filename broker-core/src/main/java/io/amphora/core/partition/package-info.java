/**
 * One partition: its role, appends, pending acknowledgements, tail cache. Owned by the partition
 * loop.
 */
@NullMarked
package io.amphora.core.partition;

import org.jspecify.annotations.NullMarked;
