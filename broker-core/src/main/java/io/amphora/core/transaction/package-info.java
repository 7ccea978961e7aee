/**
 * Transactions: what is sent and said in them until they end, the log of their intents, and its
 * recovery (docs/safety-rules.md, rules 13 and 14).
 */
@NullMarked
package io.amphora.core.transaction;

import org.jspecify.annotations.NullMarked;
