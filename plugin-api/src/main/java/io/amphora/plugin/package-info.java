/**
 * Extension points. Plugins see this package, slf4j and JSpecify, and nothing else of the broker
 * (docs/plugins.md).
 */
@NullMarked
package io.amphora.plugin;

import org.jspecify.annotations.NullMarked;
