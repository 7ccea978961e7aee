/**
 * AMQP inside WebSocket messages (RFC 6455; OASIS AMQP WebSocket Binding 1.0), beneath the
 * connection: what is above reads and writes the same bytes as over TCP.
 */
@NullMarked
package io.amphora.amqp.websocket;

import org.jspecify.annotations.NullMarked;
