package io.amphora.core.position;

/** Offsets {@code from} (inclusive) to {@code to} (exclusive). */
public record OffsetRange(long from, long to) {}
