package io.amphora.core;

/**
 * The cluster-wide cache of the topology document. The truth is the document on the voters' disks
 * (safety rule 9); losing an update here loses nothing.
 */
public interface TopologyStore {

  /**
   * Publishes a document. Never blocks, never throws; may lose.
   *
   * @param term controller term
   * @param version version within the term
   * @param document the encoded topology
   */
  void publish(long term, long version, byte[] document);
}
