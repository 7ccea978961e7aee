/**
 * The extension points of the broker. Nothing is here yet: the kinds of docs/ARCHITECTURE.md arrive
 * with the plugins that need them.
 */
@NullMarked
package io.amphora.plugin;

import org.jspecify.annotations.NullMarked;
