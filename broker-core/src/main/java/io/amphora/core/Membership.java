package io.amphora.core;

import java.util.function.Consumer;

/** Who is in the cluster. Implemented by {@code cluster} on Hazelcast. */
public interface Membership {

  /** The members now; never empty, holds this broker. */
  MembershipView view();

  /**
   * Registers who is told about changes; called with the current view at once. The callback may run
   * on any thread: post to your loop and do nothing else.
   */
  void onChange(Consumer<MembershipView> listener);
}
