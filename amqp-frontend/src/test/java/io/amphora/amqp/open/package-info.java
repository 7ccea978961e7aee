/** Opening connections, frame by frame. */
package io.amphora.amqp.open;
