package io.amphora.amqp.link;

/** Told what passes, for figures and for back pressure. */
public interface Traffic {

  /** Messages came in. */
  void received(int messages);

  /** A message that was sent settled could not be taken, and nobody was told. */
  void dropped();

  /** Messages were handed to the engine to be sent. */
  void sent(int messages);

  /** Links now attached changed by this number. */
  void links(int change);

  /** Bytes given to the core and not yet answered changed by this number. */
  void pendingBytes(long change);
}
