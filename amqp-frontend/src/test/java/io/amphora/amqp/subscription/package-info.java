/** Subscriptions, frame by frame. */
package io.amphora.amqp.subscription;
