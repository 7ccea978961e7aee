/** REST API in front of the core. */
@NullMarked
package io.amphora.admin;

import org.jspecify.annotations.NullMarked;
