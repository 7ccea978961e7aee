package io.amphora.core.delivery;

import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import java.util.Map;

/**
 * Deliveries whose outcome waits for the end of a transaction: nobody else gets them before,
 * whatever becomes of the member that had them (safety rule 14). Any loop.
 */
public interface Claim {

  /** How the transaction ended. */
  enum End {
    /** The outcomes take effect. */
    COMMIT,
    /** They do not: what the member has settled comes back as a failed delivery. */
    ROLLBACK,
    /** They do not, and nobody is to blame: it comes back uncounted. */
    ABANDON
  }

  /** False when some of it was not in flight to the member any more: it cannot be committed. */
  boolean isWhole();

  /** What the outcomes change of which positions; merged into them by the transaction. */
  Map<PositionKey, Position> changes();

  /** The transaction is over; called once. */
  void end(End how);
}
