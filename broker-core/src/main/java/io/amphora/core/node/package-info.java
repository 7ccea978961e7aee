/** The broker as its front ends see it, the partitions a node hosts, and the controller. */
@NullMarked
package io.amphora.core.node;

import org.jspecify.annotations.NullMarked;
