/** Workloads and how they are measured. */
@NullMarked
package io.amphora.bench.load;

import org.jspecify.annotations.NullMarked;
