/** What exists: topics, partitions, users. Immutable snapshots and pure functions. */
@NullMarked
package io.amphora.core.topology;

import org.jspecify.annotations.NullMarked;
