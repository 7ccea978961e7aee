package io.amphora.amqp.link;

import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.amqp.transport.Source;
import org.apache.qpid.proton.amqp.transport.Target;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;

/** Answers attaches, with everything clients look at (conventions 3.2, 3.9). */
public final class AttachReply {

  private AttachReply() {}

  /** Attaches with the termini that are in force. */
  public static void accept(Link link, Source source, Target target, long maxMessageSize) {
    echo(link);
    if (link instanceof Receiver) {
      link.setProperties(LinkProperties.inForce(link));
    }
    link.setSource(source);
    link.setTarget(target);
    link.setMaxMessageSize(UnsignedLong.valueOf(Math.min(maxMessageSize, Integer.MAX_VALUE)));
    link.open();
  }

  /** Attach with a null terminus, then detach with the error, in one write. */
  public static void refuse(Link link, Refusal refusal) {
    echo(link);
    if (link instanceof Sender) {
      link.setTarget(link.getRemoteTarget());
    } else {
      link.setSource(link.getRemoteSource());
    }
    link.setMaxMessageSize(UnsignedLong.valueOf(Integer.MAX_VALUE));
    link.open();
    link.setCondition(new ErrorCondition(refusal.condition(), refusal.description()));
    link.close();
  }

  private static void echo(Link link) {
    SenderSettleMode sends = link.getRemoteSenderSettleMode();
    ReceiverSettleMode receives = link.getRemoteReceiverSettleMode();
    link.setSenderSettleMode(sends == null ? SenderSettleMode.MIXED : sends);
    link.setReceiverSettleMode(receives == null ? ReceiverSettleMode.FIRST : receives);
    link.setProperties(Map.<Symbol, Object>of());
  }
}
