package io.amphora.amqp.server;

import io.amphora.core.Loop;
import io.vertx.core.Context;

/**
 * One event loop, as Vert.x and as the core see it.
 *
 * @param context Vert.x context bound to the event loop
 * @param loop the same thread for the core
 */
public record ConnectionLoop(Context context, Loop loop) {}
