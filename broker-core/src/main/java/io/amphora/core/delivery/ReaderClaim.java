package io.amphora.core.delivery;

import java.util.OptionalLong;

/**
 * What a reader of one partition claims against the other readers of it that name the same group
 * (Event Hubs; conventions 5.3).
 *
 * @param group scopes the claim; has no position
 * @param epoch with one, nobody with a lower or without one reads beside it; the newer of two with
 *     the same goes on
 */
public record ReaderClaim(String group, OptionalLong epoch) {}
