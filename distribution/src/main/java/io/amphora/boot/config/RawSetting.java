package io.amphora.boot.config;

/**
 * A value as somebody wrote it, not checked yet.
 *
 * @param key dotted name
 * @param text value
 * @param source where it stands, for people
 */
record RawSetting(String key, String text, String source) {}
