/** Load generator and runs against other brokers. Not built yet; not part of the default build. */
@NullMarked
package io.amphora.bench;

import org.jspecify.annotations.NullMarked;
