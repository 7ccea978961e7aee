package io.amphora.amqp.link;

/**
 * What links need to know of the listener's settings.
 *
 * @param brokerId id of this broker, announced as container-id and node
 * @param autoCreate whether an unknown topic is created when it is attached to
 * @param linkCredit credit given to a producer link
 * @param memory what the links of all connections hold
 * @param nodes makes the request/response nodes of a connection
 */
public record LinkOptions(
    String brokerId,
    boolean autoCreate,
    int linkCredit,
    NodeMemory memory,
    RequestNodes.Factory nodes) {

  /** Without any request/response node. */
  public LinkOptions(String brokerId, boolean autoCreate, int linkCredit, NodeMemory memory) {
    this(brokerId, autoCreate, linkCredit, memory, connection -> RequestNodes.NONE);
  }
}
