package io.amphora.core.sim;

import io.amphora.core.FaultHandler;
import java.util.ArrayList;
import java.util.List;

/** Remembers faults. */
public final class SimFaults implements FaultHandler {

  public final List<String> faults = new ArrayList<>();

  @Override
  public void fatal(String what, Throwable cause) {
    faults.add(what);
  }
}
