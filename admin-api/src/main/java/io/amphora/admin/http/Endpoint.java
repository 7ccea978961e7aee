package io.amphora.admin.http;

import io.vertx.core.Future;

/** What answers one method of one path. Runs on the HTTP loop and never blocks. */
@FunctionalInterface
public interface Endpoint {
  /**
   * Answers a request.
   *
   * @throws ProblemException at once, or as failure of the future, when the request is wrong
   */
  Future<Answer> handle(ApiRequest request);
}
