package io.amphora.core.transaction;

import java.util.UUID;

/** A partition that transactions write to. */
record Target(UUID topicId, int partition) {}
