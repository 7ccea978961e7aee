/** Who the peer is: SASL before AMQP starts (part 5, section 5.3; docs/amqp.md). No socket here. */
@NullMarked
package io.amphora.amqp.sasl;

import org.jspecify.annotations.NullMarked;
