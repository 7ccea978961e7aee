package io.amphora.amqp.websocket;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which web pages may connect. A browser lets every page open a WebSocket to anywhere, and names
 * the page's origin (RFC 6455 section 10.2); other clients name none, or the host they ask.
 *
 * @param listed origins as browsers write them, {@code https://host:port}; {@code *} for all
 * @param local whether the listener is for this machine only. Then a host's name does not prove
 *     that the page came from here: whoever owns the name can point it to 127.0.0.1
 */
public record Origins(List<String> listed, boolean local) {

  /**
   * For a listener; may block.
   *
   * @param host what the listener is bound to
   */
  public static Origins of(List<String> listed, String host) {
    try {
      return new Origins(List.copyOf(listed), InetAddress.getByName(host).isLoopbackAddress());
    } catch (UnknownHostException e) {
      return new Origins(List.copyOf(listed), false);
    }
  }

  /**
   * Whether a client may go on.
   *
   * @param origin header {@code Origin}; empty when there is none
   * @param host header {@code Host}: whom the client believes to ask
   */
  boolean permits(Optional<String> origin, Optional<String> host) {
    if (origin.isEmpty() || listed.contains("*")) {
      return true;
    }
    String asked = origin.get().toLowerCase(Locale.ROOT);
    return listed.stream().anyMatch(each -> each.equalsIgnoreCase(asked))
        || host.map(name -> isSame(asked, name.toLowerCase(Locale.ROOT))).orElse(false);
  }

  private boolean isSame(String origin, String host) {
    try {
      URI page = new URI(origin);
      URI here = new URI(page.getScheme() + "://" + host);
      return page.getHost() != null
          && page.getHost().equals(here.getHost())
          && port(page) == port(here)
          && (!local || isThisMachine(page.getHost()));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static int port(URI uri) {
    if (uri.getPort() != -1) {
      return uri.getPort();
    }
    return uri.getScheme().matches("https|wss") ? 443 : 80;
  }

  private static boolean isThisMachine(String host) {
    return host.equals("localhost") || host.startsWith("[") || NetUtil.isValidIpV4Address(host);
  }
}
