package io.amphora.amqp.engine;

import java.util.Collections;
import java.util.List;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Outcome;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;

/** Rejected, with an error of three fields: clients read them without a check (conventions 0.3). */
public final class RejectedState implements DeliveryState, Outcome, DescribedType {

  private static final UnsignedLong DESCRIPTOR = UnsignedLong.valueOf(0x25);

  private final List<Object> fields;

  public RejectedState(ErrorCondition error) {
    FullFrame full = FullFrame.error(error);
    if (full == null) {
      throw new IllegalArgumentException("a rejection needs a condition");
    }
    this.fields = Collections.singletonList(full);
  }

  @Override
  public Object getDescriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Object getDescribed() {
    return fields;
  }

  @Override
  public DeliveryStateType getType() {
    return DeliveryStateType.Rejected;
  }
}
