/** Message sections as bytes: found, checked and put together without decoding bodies. */
@NullMarked
package io.amphora.amqp.codec;

import org.jspecify.annotations.NullMarked;
