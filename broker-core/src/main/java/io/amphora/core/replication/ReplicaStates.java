package io.amphora.core.replication;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The promises of all partitions of this node, in one document: changes that arrive while it is
 * written share the next write. Owned by the control loop.
 */
public final class ReplicaStates {

  /** Name of the document. */
  public static final String DOCUMENT = "promises";

  private final Wal wal;
  private final Loop control;
  private final Map<ReplicaKey, ReplicaState> states;
  private List<Consumer<Reply<Integer>>> waiting = new ArrayList<>();
  private boolean writing;

  public ReplicaStates(Wal wal, Loop control, Map<ReplicaKey, ReplicaState> stored) {
    this.wal = wal;
    this.control = control;
    this.states = new HashMap<>(stored);
  }

  /** The newest state, maybe not on disk yet. */
  public ReplicaState of(ReplicaKey key) {
    return states.getOrDefault(key, ReplicaState.NEW);
  }

  /** The log knows a higher epoch; written with the next change (safety rule 4). */
  public void atLeast(ReplicaKey key, int lastEpoch) {
    states.put(key, of(key).atLeast(lastEpoch));
  }

  /** Forgets deleted partitions; written with the next change. */
  public void forget(Collection<ReplicaKey> keys) {
    keys.forEach(states::remove);
  }

  /**
   * Changes states.
   *
   * @param done called on the control loop when they are on disk; gets their number
   */
  public void update(Map<ReplicaKey, ReplicaState> changes, Consumer<Reply<Integer>> done) {
    states.putAll(changes);
    waiting.add(reply -> done.accept(reply instanceof Reply.Ok ? Reply.ok(changes.size()) : reply));
    if (!writing) {
      write();
    }
  }

  private void write() {
    List<Consumer<Reply<Integer>>> served = waiting;
    waiting = new ArrayList<>();
    writing = true;
    wal.writeDocument(
        DOCUMENT, ReplicaStatesCodec.encode(states), control, result -> onWritten(served, result));
  }

  private void onWritten(List<Consumer<Reply<Integer>>> served, WalResult<String> result) {
    writing = false;
    if (!waiting.isEmpty()) {
      write();
    }
    Reply<Integer> reply = replyOf(result);
    served.forEach(done -> done.accept(reply));
  }

  private static Reply<Integer> replyOf(WalResult<String> result) {
    if (result instanceof WalResult.Failed<String> failed) {
      boolean full = failed.error().kind() == WalException.Kind.DISK_FULL;
      ErrorCode code = full ? ErrorCode.RESOURCE_LIMIT : ErrorCode.INDETERMINATE;
      String message = "promises cannot be written: " + failed.error().getMessage();
      return new Reply.Failed<>(new BrokerException(code, message, failed.error()));
    }
    return Reply.ok(0);
  }
}
