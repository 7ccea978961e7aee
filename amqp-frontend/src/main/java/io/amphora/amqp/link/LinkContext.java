package io.amphora.amqp.link;

import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.tx.ConnectionTransactions;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;

/**
 * What every link of a connection works with. Owned by the connection loop.
 *
 * @param broker the core
 * @param loop the connection loop
 * @param options settings
 * @param traffic told what passes
 * @param engine the connection's engine
 * @param wake asks for the output to be written soon; to be called after work outside of a read
 * @param memory what the links hold together
 * @param transactions those of the connection
 */
public record LinkContext(
    Broker broker,
    Loop loop,
    LinkOptions options,
    Traffic traffic,
    AmqpEngine engine,
    Runnable wake,
    LinkMemory memory,
    ConnectionTransactions transactions) {

  /** Runs work that came from another loop: guarded by the engine, followed by output. */
  public void run(Runnable work) {
    engine.run(work);
    wake.run();
  }
}
