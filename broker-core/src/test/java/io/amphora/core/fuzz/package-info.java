/** Random and damaged documents of the data directory. */
package io.amphora.core.fuzz;
