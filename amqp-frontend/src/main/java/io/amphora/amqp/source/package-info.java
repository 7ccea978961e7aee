/** Sources: what a receiver asks of the core. */
@NullMarked
package io.amphora.amqp.source;

import org.jspecify.annotations.NullMarked;
