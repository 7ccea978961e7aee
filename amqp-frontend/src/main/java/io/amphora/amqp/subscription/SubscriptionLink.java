package io.amphora.amqp.subscription;

import io.amphora.amqp.link.AttachReply;
import io.amphora.amqp.link.LinkContext;
import io.amphora.amqp.link.LinkHandler;
import io.amphora.amqp.link.Refusal;
import io.amphora.amqp.source.Subscriber;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.SubscriptionName;
import java.util.Arrays;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.messaging.TerminusDurability;
import org.apache.qpid.proton.amqp.messaging.TerminusExpiryPolicy;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Sender;

/**
 * A receiver attached by the name of its durable subscription, without a source: it is told what
 * the subscription is, gets nothing, and ends the subscription when it is closed for good
 * (conventions 4.2). Owned by the connection loop.
 */
public final class SubscriptionLink implements LinkHandler {

  private static final Symbol SHARED = Symbol.valueOf("shared");
  private static final Symbol GLOBAL = Symbol.valueOf("global");
  private static final Symbol TOPIC = Symbol.valueOf("topic");

  private final LinkContext context;
  private final Sender link;
  private final GroupInfo group;
  private boolean ends;

  private SubscriptionLink(LinkContext context, Sender link, GroupInfo group) {
    this.context = context;
    this.link = link;
    this.group = group;
  }

  /** Answers the attach, which has no source. */
  public static void attach(LinkContext context, Sender link) {
    boolean global = isGlobal(link);
    String owner = global ? "" : context.engine().connection().getRemoteContainer();
    String name = Subscriber.subscription(context.engine().nameOf(link));
    SubscriptionName wanted = new SubscriptionName(owner, name, true);
    Optional<GroupInfo> found = find(context, wanted);
    if (found.isEmpty()) {
      String whose = global ? "" : " of client " + owner;
      AttachReply.refuse(link, Refusal.notFound("there is no subscription " + name + whose));
      return;
    }
    link.setContext(new SubscriptionLink(context, link, found.get()));
    Target target = link.getRemoteTarget() instanceof Target asked ? asked : new Target();
    AttachReply.accept(link, source(found.get(), global), target, Integer.MAX_VALUE);
  }

  private static boolean isGlobal(Sender link) {
    Symbol[] desired = link.getRemoteDesiredCapabilities();
    return desired != null && Arrays.asList(desired).contains(GLOBAL);
  }

  private static Optional<GroupInfo> find(LinkContext context, SubscriptionName wanted) {
    return context.broker().topology().groups().values().stream()
        .filter(group -> SubscriptionName.ofGroup(group.name()).filter(wanted::equals).isPresent())
        .findAny();
  }

  private static Source source(GroupInfo group, boolean global) {
    Source source = new Source();
    source.setAddress(SubscriptionName.topicOf(group.name()).orElseThrow());
    source.setDurable(TerminusDurability.UNSETTLED_STATE);
    source.setExpiryPolicy(TerminusExpiryPolicy.NEVER);
    source.setDistributionMode(Symbol.valueOf("copy"));
    if (group.mode() == GroupInfo.Mode.SHARED) {
      source.setCapabilities(global ? symbols(TOPIC, SHARED, GLOBAL) : symbols(TOPIC, SHARED));
    } else {
      source.setCapabilities(TOPIC);
    }
    return source;
  }

  private static Symbol[] symbols(Symbol... symbols) {
    return symbols;
  }

  @Override
  public void onFlow() {
    // There is nothing to deliver; a drain is answered all the same (conventions 7.4).
    if (link.getDrain()) {
      link.drained();
    }
  }

  @Override
  public void onDelivery(Delivery delivery) {}

  @Override
  public void onReadDone() {}

  @Override
  public void onClosing() {
    ends = true;
    context.engine().holdDetach(link);
  }

  @Override
  public void onGone() {
    if (ends) {
      context
          .broker()
          .deleteGroup(group.name(), context.loop(), reply -> context.run(() -> onDeleted(reply)));
    }
  }

  /** Somebody else may have ended it meanwhile: then it is as the client wants it. */
  private void onDeleted(Reply<GroupInfo> reply) {
    if (reply instanceof Reply.Failed<GroupInfo> failed && !isGone(failed)) {
      Refusal why = Refusal.of(failed.error());
      context.engine().answerDetach(link, new ErrorCondition(why.condition(), why.description()));
    } else {
      context.engine().answerDetach(link, null);
    }
  }

  private static boolean isGone(Reply.Failed<GroupInfo> failed) {
    return failed.error().code() == ErrorCode.NOT_FOUND;
  }
}
