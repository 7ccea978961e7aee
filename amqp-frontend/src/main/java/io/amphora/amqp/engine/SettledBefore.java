package io.amphora.amqp.engine;

import org.apache.qpid.proton.amqp.transport.DeliveryState;

/**
 * The state of a delivery that was sent settled in several steps: the engine has to be told in the
 * end, or it keeps the delivery, and the peer knows already.
 */
final class SettledBefore implements DeliveryState {

  static final SettledBefore INSTANCE = new SettledBefore();

  private SettledBefore() {}

  @Override
  public DeliveryStateType getType() {
    return DeliveryStateType.Accepted;
  }
}
