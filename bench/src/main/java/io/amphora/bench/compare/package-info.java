/** Side-by-side runs: brokers started from scratch, in turns, under the same load. */
@NullMarked
package io.amphora.bench.compare;

import org.jspecify.annotations.NullMarked;
