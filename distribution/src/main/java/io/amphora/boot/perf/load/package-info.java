/** Workloads and how they are measured. */
@NullMarked
package io.amphora.boot.perf.load;

import org.jspecify.annotations.NullMarked;
