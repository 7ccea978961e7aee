/** Tests of request/response nodes. */
package io.amphora.amqp.node;
