package io.amphora.boot.config;

/** On, off, or as the situation asks for. */
public enum Choice {
  /** The key's text says what decides. */
  AUTO,
  ON,
  OFF;

  /** The decision, given what {@link #AUTO} means here. */
  public boolean resolve(boolean auto) {
    return this == AUTO ? auto : this == ON;
  }
}
