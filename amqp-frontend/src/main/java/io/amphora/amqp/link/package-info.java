/** Links: what attach, transfer, flow and disposition mean to the core. */
@NullMarked
package io.amphora.amqp.link;

import org.jspecify.annotations.NullMarked;
