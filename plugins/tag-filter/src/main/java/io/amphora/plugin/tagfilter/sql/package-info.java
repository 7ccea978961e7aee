/** The SQL of selectors: JMS 3.1 section 3.8, and the AMQP filter expressions' variant of it. */
@NullMarked
package io.amphora.plugin.tagfilter.sql;

import org.jspecify.annotations.NullMarked;
