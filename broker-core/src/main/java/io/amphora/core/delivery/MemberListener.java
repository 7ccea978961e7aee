package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import java.util.List;

/** What a receiver link is told; all calls arrive on the loop given at subscribe. */
public interface MemberListener {

  /** The group is known and its position found: deliveries may follow, as far as credit goes. */
  void onAttached();

  /** Records to send, in order; never more than the credit that was given. */
  void onDeliveries(List<Delivery> deliveries);

  /**
   * The drain that was asked for is finished: everything that was available within the credit was
   * handed over before this call, and the rest of the credit is taken back. With nothing to wait
   * for it is called before {@link Member#drain} returns. A drain that is asked for while one is
   * running is answered together with it.
   *
   * @param unused credit that was not used
   */
  void onDrained(int unused);

  /** The core ended the subscription; the member is closed. Unsettled deliveries go back. */
  void onDetached(BrokerException reason);
}
