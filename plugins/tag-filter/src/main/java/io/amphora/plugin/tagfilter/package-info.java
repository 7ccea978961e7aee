/** Filtering of deliveries by tags, selectors and AMQP filter expressions. Not built yet. */
@NullMarked
package io.amphora.plugin.tagfilter;

import org.jspecify.annotations.NullMarked;
