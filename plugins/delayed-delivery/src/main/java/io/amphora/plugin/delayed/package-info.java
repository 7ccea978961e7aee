/** Delayed and scheduled delivery. Not built yet. */
@NullMarked
package io.amphora.plugin.delayed;

import org.jspecify.annotations.NullMarked;
