/** Addresses: what the name in a terminus means. */
@NullMarked
package io.amphora.amqp.address;

import org.jspecify.annotations.NullMarked;
