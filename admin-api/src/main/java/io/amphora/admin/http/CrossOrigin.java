package io.amphora.admin.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Keeps web pages from elsewhere from changing things through a visitor's browser. */
final class CrossOrigin {
  private CrossOrigin() {}

  /**
   * Refuses a request that a page of another origin made (RFC 6454 section 7).
   *
   * @throws ProblemException 403
   */
  static void refuse(HttpServerRequest request) {
    @Nullable String origin = request.getHeader("Origin");
    if (origin != null && !sameHost(origin, request.authority())) {
      throw new ProblemException(
          new Problem(403, "cross-origin", "pages of another origin may not change things", ""));
    }
  }

  private static boolean sameHost(String origin, @Nullable HostAndPort host) {
    try {
      @Nullable String authority = new URI(origin).getRawAuthority();
      return authority != null && host != null && authority.equalsIgnoreCase(host.toString());
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
