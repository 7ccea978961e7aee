package io.amphora.core.partition;

/**
 * What to read.
 *
 * @param offset where to start; below the log start reads from the log start
 * @param maxBytes limit, but at least one batch is returned when there is one
 */
public record ReadRequest(long offset, int maxBytes) {}
