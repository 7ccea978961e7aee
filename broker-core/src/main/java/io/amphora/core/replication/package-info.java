/** Epochs, high watermark, replica progress: pure state of the replication protocol. */
@NullMarked
package io.amphora.core.replication;

import org.jspecify.annotations.NullMarked;
