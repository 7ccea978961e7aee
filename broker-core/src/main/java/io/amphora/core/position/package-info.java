/** Positions of groups: what is done, how it merges, and its journal. */
@NullMarked
package io.amphora.core.position;

import org.jspecify.annotations.NullMarked;
