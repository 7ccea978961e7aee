/**
 * The ports of the core and its error codes. Everything the core needs from outside comes through
 * them: loops, time, membership, stores, the log.
 */
@NullMarked
package io.amphora.core;

import org.jspecify.annotations.NullMarked;
