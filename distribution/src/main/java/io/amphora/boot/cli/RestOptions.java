package io.amphora.boot.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the REST interface is. */
final class RestOptions {

  @Option(
      names = "--admin-url",
      paramLabel = "URL",
      defaultValue = "${env:AMPHORA_ADMIN_URL:-http://127.0.0.1:8672}",
      description =
          "REST address, http://[USER:PASSWORD@]HOST:PORT (AMPHORA_ADMIN_URL; default:"
              + " http://127.0.0.1:8672).")
  private String adminUrl = "";

  RestClient client() {
    String base = adminUrl.endsWith("/") ? adminUrl.substring(0, adminUrl.length() - 1) : adminUrl;
    try {
      URI uri = URI.create(base);
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?")) {
        return new RestClient(
            new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), null, null),
            Optional.ofNullable(uri.getUserInfo()));
      }
    } catch (IllegalArgumentException | URISyntaxException e) {
      // Falls through: the message must not repeat what may hold a password.
    }
    throw CliFailure.usage("--admin-url: expected http://[USER:PASSWORD@]HOST:PORT");
  }
}
