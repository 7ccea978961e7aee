/** Fakes and tools for the tests of this module. */
package io.amphora.amqp.testkit;
