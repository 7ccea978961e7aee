/** What members want of the messages of their groups, without what is inside a message. */
@NullMarked
package io.amphora.core.filter;

import org.jspecify.annotations.NullMarked;
