package io.amphora.boot.cli;

import java.net.URI;
import picocli.CommandLine.Option;

/** Where the REST interface is. */
final class RestOptions {

  @Option(
      names = "--admin-url",
      paramLabel = "URL",
      defaultValue = "${env:AMPHORA_ADMIN_URL:-http://127.0.0.1:8672}",
      description = "REST address (AMPHORA_ADMIN_URL; default: http://127.0.0.1:8672).")
  private String adminUrl = "";

  RestClient client() {
    String base = adminUrl.endsWith("/") ? adminUrl.substring(0, adminUrl.length() - 1) : adminUrl;
    try {
      URI uri = URI.create(base);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return new RestClient(uri);
      }
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage("--admin-url " + adminUrl + " is no URL; expected http://HOST:PORT");
    }
    throw CliFailure.usage("--admin-url " + adminUrl + ": expected http://HOST:PORT");
  }
}
