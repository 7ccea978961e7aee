package io.amphora.amqp.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;

/**
 * Which attaches of one connection are the same link (part 2, section 2.6.1; conventions 3.10).
 * Owned by the connection loop.
 *
 * <p>A link is the same when name, direction and address are, on another session. The address
 * counts because some libraries number their links anew in each session; within a session it is
 * never the same, because others name links after the address. The handle tells those apart.
 */
final class LinkNames {

  private record Identity(String name, boolean sends, String address) {}

  private final Map<Identity, List<Link>> attached = new HashMap<>();
  private final Map<Link, Identity> identities = new HashMap<>();

  /**
   * Notes a link.
   *
   * @param name as the client gave it
   * @return the links that it is, attached before
   */
  List<Link> attach(String name, Link link) {
    Optional<String> address = address(link);
    if (address.isEmpty()) {
      return List.of();
    }
    Identity identity = new Identity(name, link instanceof Receiver, address.get());
    List<Link> same = attached.computeIfAbsent(identity, unknown -> new ArrayList<>());
    List<Link> stolen = same.stream().filter(o -> o.getSession() != link.getSession()).toList();
    same.add(link);
    identities.put(link, identity);
    return stolen;
  }

  void onGone(Link link) {
    Identity identity = identities.remove(link);
    if (identity != null) {
      attached.computeIfPresent(
          identity,
          (key, links) -> {
            links.remove(link);
            return links.isEmpty() ? null : links;
          });
    }
  }

  /** Of the node it is attached to; empty for anonymous and dynamic ones. */
  private static Optional<String> address(Link link) {
    if (link instanceof Receiver) {
      return link.getRemoteTarget() instanceof Target target
          ? Optional.ofNullable(target.getAddress())
          : Optional.empty();
    }
    return link.getRemoteSource() instanceof Source source
        ? Optional.ofNullable(source.getAddress())
        : Optional.empty();
  }
}
