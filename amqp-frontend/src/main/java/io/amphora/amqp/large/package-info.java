/** Large messages: to a spool on their way in, read piece by piece on their way out. */
@NullMarked
package io.amphora.amqp.large;

import org.jspecify.annotations.NullMarked;
