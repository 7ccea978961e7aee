/** The program: configuration, wiring, command line. */
@NullMarked
package io.amphora.boot;

import org.jspecify.annotations.NullMarked;
