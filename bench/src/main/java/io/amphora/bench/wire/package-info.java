/** The client side of one AMQP connection, made to cost a microsecond or two a message. */
@NullMarked
package io.amphora.bench.wire;

import org.jspecify.annotations.NullMarked;
