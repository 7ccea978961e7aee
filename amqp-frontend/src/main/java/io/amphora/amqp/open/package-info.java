/** Opening connections: what is offered, and who may have a container id. */
@NullMarked
package io.amphora.amqp.open;

import org.jspecify.annotations.NullMarked;
