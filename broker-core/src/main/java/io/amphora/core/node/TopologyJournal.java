package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyCodec;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.util.function.Consumer;

/**
 * The topology on disk and the snapshot that everybody sees. A change counts when it is durable
 * (safety rule 9). Owned by the control loop; {@link #current} may be read by any thread.
 */
final class TopologyJournal {

  /** Name of the document. */
  static final String DOCUMENT = "topology.json";

  private final BrokerPorts ports;
  private Topology durable;
  private byte[] document = new byte[0];
  private volatile Topology current;

  /**
   * @param stored as read from the disk, or about to be written first
   */
  TopologyJournal(BrokerPorts ports, Topology stored) {
    this.ports = ports;
    this.durable = stored;
    this.current = stored;
  }

  /** What everybody sees. */
  Topology current() {
    return current;
  }

  /** What is on disk: the base of the next change. */
  Topology durable() {
    return durable;
  }

  /** Makes a change durable, then visible. */
  void commit(Topology next, Consumer<Reply<Topology>> done) {
    write(
        next,
        reply -> {
          if (reply instanceof Reply.Ok) {
            show();
          }
          done.accept(reply);
        });
  }

  /** Makes what is durable visible. */
  void show() {
    current = durable;
    ports.topologyStore().publish(durable.term(), durable.version(), document);
  }

  /** Makes a change durable without showing it yet. */
  void write(Topology next, Consumer<Reply<Topology>> done) {
    if (next.version() <= durable.version() && next.term() <= durable.term()) {
      throw new IllegalStateException("version " + next.version() + " does not follow");
    }
    byte[] encoded = TopologyCodec.encode(next);
    if (encoded.length > Wal.MAX_DOCUMENT_BYTES) {
      done.accept(
          Reply.failed(
              ErrorCode.RESOURCE_LIMIT,
              "the topology would grow to %d bytes, more than a document may have: delete topics"
                  .formatted(encoded.length)));
      return;
    }
    ports
        .wal()
        .writeDocument(
            DOCUMENT,
            encoded,
            ports.control(),
            result -> done.accept(onWritten(next, encoded, result)));
  }

  private Reply<Topology> onWritten(Topology next, byte[] encoded, WalResult<String> result) {
    if (result instanceof WalResult.Ok) {
      durable = next;
      document = encoded;
      return Reply.ok(next);
    }
    WalException error = ((WalResult.Failed<String>) result).error();
    if (error.kind() == WalException.Kind.DISK_FULL || error.kind() == WalException.Kind.BUSY) {
      return Reply.failed(
          ErrorCode.RESOURCE_LIMIT, error.getMessage() + ": the topology is unchanged");
    }
    if (error.kind() == WalException.Kind.CLOSED) { // nothing was begun: the node stops
      return Reply.failed(ErrorCode.SHUTTING_DOWN, "the broker is shutting down");
    }
    ports.faults().fatal("The topology document could not be written; check the disk.", error);
    return new Reply.Failed<>(
        new BrokerException(
            ErrorCode.INDETERMINATE, "the topology may or may not be changed", error));
  }
}
