/** Load generator and runs against other brokers; not part of the default build. */
@NullMarked
package io.amphora.bench;

import org.jspecify.annotations.NullMarked;
