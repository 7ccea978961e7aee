package io.amphora.amqp.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.qpid.proton.engine.Session;

/**
 * The links over which a connection gets answers, and which of them a request means. Owned by the
 * connection loop; the counter is shared by all.
 */
final class Replies {

  private final LongAdder dropped;
  private final List<ReplyLink> links = new ArrayList<>();

  Replies(LongAdder dropped) {
    this.dropped = dropped;
  }

  /**
   * Who asks.
   *
   * @param pair name of the link when it is one of a pair, else empty
   */
  record Asker(NodeAddress.Kind kind, Session session, String pair) {}

  /**
   * What a request is answered with.
   *
   * @param to where the request wanted it, empty when it did not say
   */
  record Answer(String to, byte[] bytes) {}

  void add(ReplyLink link) {
    links.add(link);
  }

  void remove(ReplyLink link) {
    links.remove(link);
  }

  /** Sends an answer; without a receiver it is dropped and counted. */
  void send(Asker asker, Answer answer) {
    boolean sent = find(asker, answer.to).map(link -> link.send(answer.bytes)).orElse(false);
    if (!sent) {
      dropped.increment();
    }
  }

  /** The link's pair, else where the request wants it, else on the same session, else anywhere. */
  private Optional<ReplyLink> find(Asker asker, String replyTo) {
    if (!asker.pair.isEmpty()) {
      return first(asker, link -> isHere(asker, link) && link.pair().equals(asker.pair));
    }
    return first(asker, link -> isHere(asker, link) && link.target().equals(replyTo))
        .or(() -> first(asker, link -> link.target().equals(replyTo)))
        .or(() -> first(asker, link -> isHere(asker, link)))
        .or(() -> first(asker, link -> true));
  }

  private static boolean isHere(Asker asker, ReplyLink link) {
    return link.session() == asker.session;
  }

  private Optional<ReplyLink> first(Asker asker, Predicate<ReplyLink> which) {
    return links.stream().filter(link -> link.kind() == asker.kind).filter(which).findFirst();
  }
}
