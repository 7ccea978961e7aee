/** A node in one thread, from a seed: loops in virtual time and a disk that can crash. */
package io.amphora.core.sim;
