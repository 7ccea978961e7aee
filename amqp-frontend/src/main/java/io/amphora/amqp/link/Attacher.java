package io.amphora.amqp.link;

import io.amphora.amqp.address.Address;
import io.amphora.amqp.address.AddressResolver;
import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.filter.SourceFilters;
import io.amphora.amqp.source.Reception;
import io.amphora.amqp.source.SourceMapping;
import io.amphora.amqp.source.Subscriber;
import io.amphora.amqp.subscription.SubscriptionLink;
import io.amphora.core.Reply;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupName;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.DeleteOnClose;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transaction.Coordinator;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;

/** Decides what an attach means, and answers it. Owned by the connection loop. */
final class Attacher {

  /** The lifetime that dynamic nodes have, whatever was asked for. */
  private static final Map<Symbol, Object> DELETE_ON_CLOSE =
      Map.of(Symbol.valueOf("lifetime-policy"), DeleteOnClose.getInstance());

  /** One link for many topics: each topic's own limit is looked at when its name is known. */
  private static final long LARGEST_ANONYMOUS = TopicConfig.DEFAULT.maxMessageBytes();

  private final LinkContext context;
  private final Topics topics;
  private final DynamicNodes dynamic;
  private long instances;

  Attacher(LinkContext context) {
    this.context = context;
    this.topics = new Topics(context);
    this.dynamic = new DynamicNodes(context);
  }

  void attach(Link link) {
    if (!context.engine().identity().mayWork() && !Terminus.isOfClaims(link)) {
      refuse(link, Refusal.unauthorized("put a token on " + Terminus.CLAIMS + " first"));
    } else if (link instanceof Receiver receiver) {
      attachProducer(receiver);
    } else {
      attachConsumer((Sender) link);
    }
  }

  /** The peer closes the link for good; {@link #onGone} follows. */
  void onClosing(Link link) {
    dynamic.onClosing(link);
  }

  /** Whatever came of it, the link is over. */
  void onGone(Link link) {
    dynamic.onGone(link);
  }

  /** The end of a session leaves the states of its links as they were. */
  private static boolean isWaiting(Link link) {
    return AmqpEngine.isOpen(link.getSession())
        && link.getLocalState() == EndpointState.UNINITIALIZED
        && link.getRemoteState() == EndpointState.ACTIVE;
  }

  private void attachProducer(Receiver link) {
    if (link.getRemoteTarget() instanceof Coordinator target) {
      coordinator(link, target);
    } else if (!(link.getRemoteTarget() instanceof Target target)) {
      refuse(link, Refusal.invalid("a sender needs a target"));
    } else if (target.getDynamic()) {
      dynamic.create(link, reply -> onTopic(link, reply, info -> dynamic(link, target, info)));
    } else if (target.getAddress() == null || target.getAddress().isEmpty()) {
      producer(link, target, new Routes(context, topics), LARGEST_ANONYMOUS);
    } else {
      attachTo(link, target, AddressResolver.resolve(target.getAddress()));
    }
  }

  private void coordinator(Receiver link, Coordinator target) {
    CoordinatorLink coordinator = new CoordinatorLink(context, link);
    link.setContext(coordinator);
    target.setCapabilities(io.amphora.amqp.tx.Coordinator.capabilities());
    AttachReply.accept(link, link.getRemoteSource(), target, CoordinatorLink.MAX_REQUEST_BYTES);
    coordinator.start();
  }

  private void attachTo(Receiver link, Target target, Address address) {
    if (address instanceof Address.Topic topic) {
      withTopic(link, topic.name(), info -> fixed(link, target, info, -1));
    } else if (address instanceof Address.Partition partition) {
      withTopic(link, partition.topic(), info -> fixed(link, target, info, partition.number()));
    } else if (address instanceof Address.Group || address instanceof Address.Reader) {
      refuse(link, Refusal.invalid("a group is no target"));
    } else {
      refuse(link, refusalOf(address));
    }
  }

  private static Refusal refusalOf(Address address) {
    if (address instanceof Address.Illegal illegal) {
      return Refusal.invalid(illegal.reason());
    }
    return address instanceof Address.Unserved unserved
        ? Refusal.notFound(unserved.reason())
        : Refusal.notImplemented("this form of address is not implemented");
  }

  private void fixed(Receiver link, Target target, TopicInfo topic, int partition) {
    if (partition >= topic.partitions().size()) {
      refuse(link, noPartition(topic, partition));
      return;
    }
    TopicRoute route = new TopicRoute(context.broker(), topic, partition);
    producer(link, target, new Routes(context, topics, route), topic.config().maxMessageBytes());
  }

  private void producer(Receiver link, Target target, Routes routes, long maxMessageBytes) {
    if (!LinkProperties.isLegal(link)) {
      refuse(link, Refusal.invalid(LinkProperties.ACKS + " is 0, 1 or all"));
      return;
    }
    ProducerLink producer =
        new ProducerLink(context, link, routes, LinkProperties.acks(link), maxMessageBytes);
    link.setContext(producer);
    AttachReply.accept(
        link, Terminus.orEmpty(link.getRemoteSource()), Terminus.echo(target), maxMessageBytes);
    producer.start();
  }

  private void dynamic(Receiver link, Target target, TopicInfo topic) {
    target.setAddress(topic.name());
    target.setDynamicNodeProperties(DELETE_ON_CLOSE);
    fixed(link, target, topic, -1);
  }

  private void dynamic(Sender link, Source source, TopicInfo topic) {
    source.setAddress(topic.name());
    source.setDynamicNodeProperties(DELETE_ON_CLOSE);
    subscribe(link, source);
  }

  private interface Found {
    void accept(TopicInfo topic);
  }

  private void withTopic(Link link, String name, Found found) {
    topics.find(name, reply -> onTopic(link, reply, found));
  }

  private void onTopic(Link link, Reply<TopicInfo> reply, Found found) {
    if (!isWaiting(link)) {
      return;
    }
    if (reply instanceof Reply.Failed<TopicInfo> failed) {
      refuse(link, Refusal.of(failed.error()));
    } else {
      found.accept(reply.orThrow());
    }
  }

  private void attachConsumer(Sender link) {
    if (!(link.getRemoteSource() instanceof Source source)) {
      SubscriptionLink.attach(context, link);
    } else if (source.getDynamic()) {
      dynamic.create(link, reply -> onTopic(link, reply, info -> dynamic(link, source, info)));
    } else if (source.getAddress() == null || source.getAddress().isEmpty()) {
      refuse(link, Refusal.invalid("a receiver needs a source address"));
    } else {
      subscribe(link, source);
    }
  }

  private void subscribe(Sender link, Source source) {
    Map<?, ?> asked = source.getFilter() == null ? Map.of() : source.getFilter();
    SourceFilters.Result filters = SourceFilters.read(asked, context.loop().nowMillis());
    if (filters instanceof SourceFilters.Malformed malformed) {
      refuse(link, Refusal.invalid(malformed.reason()));
      return;
    }
    Address address = AddressResolver.resolve(source.getAddress());
    Subscriber subscriber =
        new Subscriber(
            context.engine().connection().getRemoteContainer(),
            context.engine().nameOf(link),
            instances++);
    SourceMapping.map(
            address, source, (SourceFilters.InForce) filters, subscriber, Terminus.settleWish(link))
        .ifPresentOrElse(
            reception -> subscribe(link, source, reception),
            () -> refuse(link, refusalOf(address)));
  }

  private void subscribe(Sender link, Source source, Reception reception) {
    SubscribeRequest request = reception.request();
    GroupName.problem(request.group())
        .ifPresentOrElse(
            problem -> refuse(link, Refusal.invalid(problem)),
            () ->
                withTopic(link, request.topic(), info -> consumer(link, source, reception, info)));
  }

  private void consumer(Sender link, Source source, Reception reception, TopicInfo topic) {
    int partition = reception.request().options().only().orElse(0);
    if (partition >= topic.partitions().size()) {
      refuse(link, noPartition(topic, partition));
      return;
    }
    if (reception.isNamelessSubscription()) {
      refuse(link, Refusal.invalid("a subscription needs a name, which is that of the link"));
      return;
    }
    ConsumerLink consumer = new ConsumerLink(context, link, source, reception, topic);
    link.setContext(consumer);
    if (reception.isSharedSubscription() && Terminus.desires(link, Terminus.SHARED_SUBS)) {
      link.setOfferedCapabilities(new Symbol[] {Terminus.SHARED_SUBS});
    }
    consumer.subscribe(
        () ->
            AttachReply.accept(
                link,
                Terminus.inForce(source, reception.filters()),
                Terminus.orEmpty(link.getRemoteTarget()),
                topic.config().maxMessageBytes()));
  }

  private static Refusal noPartition(TopicInfo topic, int partition) {
    return Refusal.notFound("topic " + topic.name() + " has no partition " + partition);
  }

  private void refuse(Link link, Refusal refusal) {
    AttachReply.refuse(link, refusal);
  }
}
