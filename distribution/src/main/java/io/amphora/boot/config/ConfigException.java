package io.amphora.boot.config;

import java.util.List;

/** The configuration is refused; the start must not go on. */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  public ConfigException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = problems;
  }

  /** One line each: key, where it stands, what is allowed. Never empty. */
  public List<String> problems() {
    return problems;
  }
}
