/** Membership and live positions through Hazelcast. */
@NullMarked
package io.amphora.cluster;

import org.jspecify.annotations.NullMarked;
