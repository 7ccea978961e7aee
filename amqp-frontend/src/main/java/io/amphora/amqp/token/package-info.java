/**
 * Bearer tokens: JSON web tokens (RFC 7519) checked with keys from files. No network, no socket.
 */
@NullMarked
package io.amphora.amqp.token;

import org.jspecify.annotations.NullMarked;
