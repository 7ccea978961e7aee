package io.amphora.boot.chaos;

import java.util.Date;
import java.util.Random;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.DistributionMode;
import org.apache.qpid.protonj2.client.DurabilityMode;
import org.apache.qpid.protonj2.client.ExpiryPolicy;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;

/**
 * How a receiver attaches (docs/amqp.md section 2) and what it may expect of that.
 *
 * @param address of the source
 */
record Attachment(
    String address,
    ReceiverOptions options,
    Trace.Sight sight,
    Trace.Start start,
    Reaction reaction) {

  static final int CREDIT = 50;

  private static final String OFFSET_SPEC = "rabbitmq:stream-offset-spec";

  private static ReceiverOptions plain() {
    return new ReceiverOptions().creditWindow(CREDIT).autoAccept(false);
  }

  private static Attachment member(String address, Trace.Sight sight, Reaction reaction) {
    return new Attachment(address, plain(), sight, new Trace.Anywhere(), reaction);
  }

  /** A member of a shared group, or one that gives messages back. */
  static Attachment shared(String address, Reaction reaction) {
    return member(address, Trace.Sight.ANY, reaction);
  }

  /** The member of an ordered group that accepts everything. */
  static Attachment ordered(String address) {
    return member(address, Trace.Sight.ASCENDING, Reaction.ACCEPT);
  }

  /** Deliveries come settled. In one life of the broker nothing is left out. */
  static Attachment atMostOnce(String address) {
    Attachment attachment = member(address, Trace.Sight.EXACT, Reaction.NONE);
    attachment.options().deliveryMode(DeliveryMode.AT_MOST_ONCE);
    return attachment;
  }

  static Attachment durable(String topic, String subscription) {
    Attachment attachment = ordered(topic);
    attachment.options().linkName(subscription);
    attachment
        .options()
        .sourceOptions()
        .durabilityMode(DurabilityMode.UNSETTLED_STATE)
        .expiryPolicy(ExpiryPolicy.NEVER)
        .capabilities("topic");
    return attachment;
  }

  /** A browser leaves out what is done, wherever it begins. */
  static Attachment browser(String address) {
    Attachment attachment = ordered(address);
    attachment.options().sourceOptions().distributionMode(DistributionMode.COPY);
    return attachment;
  }

  /** Reads the whole topic. */
  static Attachment everything(String topic) {
    return reader(topic, "first", new Trace.AtOffset(0));
  }

  /** A reader that starts at a random place of the topic or of a partition. */
  static Attachment reader(String topic, int partitions, Random random) {
    String address =
        random.nextBoolean() ? topic : topic + "/Partitions/" + random.nextInt(partitions);
    int offset = random.nextInt(3_000);
    long time = System.currentTimeMillis() - random.nextInt(10_000);
    return switch (random.nextInt(4)) {
      case 0 -> reader(address, "first", new Trace.AtOffset(0));
      case 1 -> reader(address, UnsignedLong.valueOf(offset), new Trace.AtOffset(offset));
      case 2 -> reader(address, new Date(time), new Trace.AtTime(time));
      default -> reader(address, "next", new Trace.Anywhere());
    };
  }

  private static Attachment reader(String address, Object spec, Trace.Start start) {
    ReceiverOptions options = plain();
    options.sourceOptions().addFilter(OFFSET_SPEC, Symbol.valueOf(OFFSET_SPEC), spec);
    return new Attachment(address, options, Trace.Sight.EXACT, start, Reaction.ACCEPT);
  }
}
