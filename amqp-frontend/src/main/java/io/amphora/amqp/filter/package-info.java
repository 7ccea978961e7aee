/** Filters of a source: which are in force, and what they say. */
@NullMarked
package io.amphora.amqp.filter;

import org.jspecify.annotations.NullMarked;
