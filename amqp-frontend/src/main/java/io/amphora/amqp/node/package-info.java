/**
 * Request/response nodes: {@code $management}, {@code /management} and {@code $cbs} (docs/amqp.md
 * section 7). Sees the links it serves through {@code amqp.link}.
 */
@NullMarked
package io.amphora.amqp.node;

import org.jspecify.annotations.NullMarked;
