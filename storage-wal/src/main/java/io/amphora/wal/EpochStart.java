package io.amphora.wal;

/**
 * First offset written under a leader epoch.
 *
 * @param epoch leader epoch, from 1
 * @param offset offset of its first record
 */
public record EpochStart(int epoch, long offset) {}
