/** Faults that other brokers had, one test each; docs/hardening.md has the whole table. */
package io.amphora.amqp.fieldbugs;
