/** The client side of one AMQP connection, made to cost a microsecond or two a message. */
@NullMarked
package io.amphora.boot.perf.wire;

import org.jspecify.annotations.NullMarked;
