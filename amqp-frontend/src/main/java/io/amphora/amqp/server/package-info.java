/** Sockets and connections. */
@NullMarked
package io.amphora.amqp.server;

import org.jspecify.annotations.NullMarked;
