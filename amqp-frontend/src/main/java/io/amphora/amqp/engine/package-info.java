/** The protocol engine without sockets: bytes and a time in, bytes out. */
@NullMarked
package io.amphora.amqp.engine;

import org.jspecify.annotations.NullMarked;
