/**
 * The segmented write-ahead log: bytes and offsets, one log per partition. This package is the
 * contract; {@code io.amphora.wal.disk} is the implementation on files. It knows no AMQP and no
 * replicas. The bytes are specified in docs/protocol.md.
 */
@NullMarked
package io.amphora.wal;

import org.jspecify.annotations.NullMarked;
