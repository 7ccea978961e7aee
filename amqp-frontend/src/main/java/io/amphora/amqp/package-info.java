/** AMQP 1.0 in front of the core. */
@NullMarked
package io.amphora.amqp;

import org.jspecify.annotations.NullMarked;
