package io.amphora.core.sim;

import io.amphora.core.Membership;
import io.amphora.core.MembershipView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A cluster as the test wants it. */
public final class SimMembership implements Membership {

  private final List<Consumer<MembershipView>> listeners = new ArrayList<>();
  private MembershipView view;

  /** A cluster of one. */
  public SimMembership(String self) {
    this.view = new MembershipView(self, self, List.of(self));
  }

  @Override
  public MembershipView view() {
    return view;
  }

  /** Another picture. */
  public void change(MembershipView next) {
    view = next;
    listeners.forEach(l -> l.accept(next));
  }

  @Override
  public void onChange(Consumer<MembershipView> listener) {
    listeners.add(listener);
    listener.accept(view);
  }
}
