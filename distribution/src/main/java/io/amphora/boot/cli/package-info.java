/** The commands that people type; they reach a broker by REST or AMQP only. */
@NullMarked
package io.amphora.boot.cli;

import org.jspecify.annotations.NullMarked;
