package io.amphora.admin.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Collects the body of a request up to a limit. */
final class BodyReader {
  /** Largest body, bytes. */
  static final int LIMIT = 1 << 20;

  private final Promise<Buffer> whole = Promise.promise();
  private final Buffer collected = Buffer.buffer();

  private BodyReader() {}

  /** The body, or a failure with 413. */
  static Future<Buffer> read(HttpServerRequest request) {
    BodyReader reader = new BodyReader();
    request.handler(reader::onBytes);
    request.exceptionHandler(reader::onBroken);
    request.endHandler(end -> reader.whole.tryComplete(reader.collected));
    return reader.whole.future();
  }

  private void onBroken(Throwable error) {
    String detail = "the request broke off: " + error.getMessage();
    whole.tryFail(new ProblemException(new Problem(400, "broken-request", detail, "")));
  }

  private void onBytes(Buffer bytes) {
    if (collected.length() + bytes.length() > LIMIT) {
      whole.tryFail(
          new ProblemException(
              new Problem(413, "body-too-large", "a body has at most " + LIMIT + " bytes", "")));
    } else if (!whole.future().isComplete()) {
      collected.appendBuffer(bytes);
    }
  }
}
