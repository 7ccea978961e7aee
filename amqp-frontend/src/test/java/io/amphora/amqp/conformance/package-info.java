/** What strict clients need on the wire, looked at byte by byte (docs/conformance.md). */
package io.amphora.amqp.conformance;
