package io.amphora.core.transaction;

import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a transaction does when it commits.
 *
 * @param id of the transaction, used once
 * @param sends messages, in their order
 * @param changes what its outcomes change of positions, to be merged into them
 */
public record TransactionWork(
    UUID id, List<TransactionSend> sends, Map<PositionKey, Position> changes) {}
