package io.amphora.core.replication;

import java.util.Optional;
import java.util.UUID;

/**
 * What a replica must not forget about elections (safety rules 4 and 6). Immutable; the methods
 * decide, the caller makes the result durable before anybody hears of it.
 *
 * @param promised highest epoch promised, 0 for none
 * @param electionId attempt that got the promise
 * @param led last epoch this replica led, 0 for none
 */
public record ReplicaState(int promised, UUID electionId, int led) {

  private static final UUID NOBODY = new UUID(0, 0);

  /** Nothing promised, nothing led. */
  public static final ReplicaState NEW = new ReplicaState(0, NOBODY, 0);

  /** The state after a start: the log may know a higher epoch than the document (rule 4). */
  public ReplicaState atLeast(int lastEpoch) {
    return promised >= lastEpoch ? this : new ReplicaState(lastEpoch, NOBODY, led);
  }

  /**
   * The state with the promise that is asked for; empty when it has to be refused: a higher epoch
   * is promised, or the same one to another attempt (rule 6).
   */
  public Optional<ReplicaState> promise(Promise.Request request) {
    if (request.epoch() == promised && request.electionId().equals(electionId)) {
      return Optional.of(this);
    }
    return request.epoch() > promised
        ? Optional.of(new ReplicaState(request.epoch(), request.electionId(), led))
        : Optional.empty();
  }

  /**
   * The state of a leader of this epoch; empty when it may not lead: another promise counts, or it
   * has led this epoch already (rule 4: leadership ends with the process).
   */
  public Optional<ReplicaState> lead(Promise.Request election) {
    boolean mine = election.epoch() == promised && election.electionId().equals(electionId);
    return mine && led < promised
        ? Optional.of(new ReplicaState(promised, electionId, promised))
        : Optional.empty();
  }
}
