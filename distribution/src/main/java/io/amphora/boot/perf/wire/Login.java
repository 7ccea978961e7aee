package io.amphora.boot.perf.wire;

/** Who is asking, with SASL PLAIN. */
public record Login(String user, String password) {

  /** Without the password. */
  @Override
  public String toString() {
    return "Login[" + user + "]";
  }
}
