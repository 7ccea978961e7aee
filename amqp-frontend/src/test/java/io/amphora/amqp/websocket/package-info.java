/** WebSockets, from bytes to a listener. */
@NullMarked
package io.amphora.amqp.websocket;

import org.jspecify.annotations.NullMarked;
