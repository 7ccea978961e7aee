package io.amphora.amqp.node;

import java.util.function.Consumer;

/** Answers requests. Used by the connection loop. */
interface RequestNode {

  /**
   * Handles a request.
   *
   * @param done called once, on the connection loop, now or later
   */
  void handle(Request request, Consumer<Response> done);
}
