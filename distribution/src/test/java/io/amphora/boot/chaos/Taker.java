package io.amphora.boot.chaos;

import io.amphora.boot.it.WholeMessage;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Receives, checks and answers. One thread at a time. */
final class Taker implements ChaosLink {

  private final String name;
  private final Function<Random, Attachment> attachment;
  private final Optional<Group> group;
  private final TopicRecord record;

  /**
   * @param attachment chosen anew each time it attaches
   * @param group whose member it is; none for readers and browsers
   */
  Taker(
      String name,
      Function<Random, Attachment> attachment,
      Optional<Group> group,
      TopicRecord record) {
    this.name = name;
    this.attachment = attachment;
    this.group = group;
    this.record = record;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Connection connection, int port, Random random) throws ClientException {
    Attachment how = attachment.apply(random);
    Trace trace = record.trace(name, how);
    try (Receiver receiver = connection.openReceiver(how.address(), how.options())) {
      while (true) {
        take(receiver.receive(), how.reaction(), trace, random);
      }
    }
  }

  /** Takes all there is, without waiting for more, and accepts it. */
  void takeRest(Connection connection) throws Exception {
    Random always = new Random(0);
    Attachment how = attachment.apply(always);
    Trace trace = record.trace(name, how);
    how.options().creditWindow(0);
    try (Receiver receiver = connection.openReceiver(how.address(), how.options())) {
      // Twice nothing: this client loses credit when the answer to a drain crosses it.
      for (int empty = 0; empty < 2; empty++) {
        receiver.addCredit(500).drain().get();
        for (Delivery d = receiver.tryReceive(); d != null; d = receiver.tryReceive()) {
          take(d, how.reaction() == Reaction.NONE ? Reaction.NONE : Reaction.ACCEPT, trace, always);
          empty = -1;
        }
      }
    }
  }

  private void take(Delivery delivery, Reaction reaction, Trace trace, Random random)
      throws ClientException {
    Arrival arrival = Arrival.of(WholeMessage.of(delivery));
    record.arrived(arrival, trace, group);
    int dice = reaction.dice(random);
    if (reaction.isFinal(dice)) {
      group.ifPresent(g -> g.finishing(arrival.payload()));
    }
    reaction.answer(delivery, dice);
  }
}
