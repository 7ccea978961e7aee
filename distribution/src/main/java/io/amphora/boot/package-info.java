/** The program: main, and the wiring of a broker node. */
@NullMarked
package io.amphora.boot;

import org.jspecify.annotations.NullMarked;
