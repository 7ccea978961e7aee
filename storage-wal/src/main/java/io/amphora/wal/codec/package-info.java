/** How the records of a batch are compressed (docs/protocol.md, "Compression"). Stateless. */
@NullMarked
package io.amphora.wal.codec;

import org.jspecify.annotations.NullMarked;
