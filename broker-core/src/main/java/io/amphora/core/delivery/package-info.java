/**
 * Who gets which record: subscriptions, dispatch, settlement, redelivery. Owned by the partition
 * loop, but for the member's credit, which lives on the connection loop.
 */
@NullMarked
package io.amphora.core.delivery;

import org.jspecify.annotations.NullMarked;
