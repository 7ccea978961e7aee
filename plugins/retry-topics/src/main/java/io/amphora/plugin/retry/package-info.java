/** Retry topics and dead letters. Not built yet. */
@NullMarked
package io.amphora.plugin.retry;

import org.jspecify.annotations.NullMarked;
