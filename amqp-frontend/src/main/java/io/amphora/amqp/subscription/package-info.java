/** Durable subscriptions beside their consumers: looked up, and ended. */
@NullMarked
package io.amphora.amqp.subscription;

import org.jspecify.annotations.NullMarked;
