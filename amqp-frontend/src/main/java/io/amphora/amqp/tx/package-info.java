/**
 * Transactions on the wire: coordinator links and transactional states (docs/amqp.md section 5).
 */
@NullMarked
package io.amphora.amqp.tx;

import org.jspecify.annotations.NullMarked;
