/** Random and damaged frames against one connection and a whole listener. */
package io.amphora.amqp.fuzz;
