/** Filters that select messages: selectors, properties, RabbitMQ's stream filter, tags. */
@NullMarked
package io.amphora.plugin.tagfilter;

import org.jspecify.annotations.NullMarked;
