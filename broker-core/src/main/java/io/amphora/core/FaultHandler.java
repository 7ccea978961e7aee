package io.amphora.core;

/** Decides about faults that cannot be explained. Production stops the node; tests record. */
public interface FaultHandler {

  /**
   * A broken assumption, failed force, or checksum mismatch on our own write. The node must not
   * acknowledge anything any more.
   *
   * @param what one sentence for the operator: what happened and what to do
   */
  void fatal(String what, Throwable cause);
}
