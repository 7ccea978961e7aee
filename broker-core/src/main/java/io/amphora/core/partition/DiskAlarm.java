package io.amphora.core.partition;

/** Whether free disk space is below the reserve. Set by the control loop, read by any thread. */
public final class DiskAlarm {

  private volatile boolean low;

  public boolean isLow() {
    return low;
  }

  public void set(boolean isLow) {
    low = isLow;
  }
}
