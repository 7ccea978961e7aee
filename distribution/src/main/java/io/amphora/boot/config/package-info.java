/** Configuration: the table of keys, where values come from, and the page that explains them. */
@NullMarked
package io.amphora.boot.config;

import org.jspecify.annotations.NullMarked;
