package io.amphora.core.position;

import java.util.UUID;

/** Whose position: (group id, topic id, partition), safety rule 18. */
public record PositionKey(UUID groupId, UUID topicId, int partition) {}
