/** Groups: members, modes, assignment. */
@NullMarked
package io.amphora.core.group;

import org.jspecify.annotations.NullMarked;
