/** What an application on Qpid JMS may rely on, part by part; docs/jms.md has the map. */
package io.amphora.boot.jms;
