package io.amphora.boot.cli;

/** A command could not do its work; the message is one line for the person who typed it. */
public final class CliFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CliFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The broker said no, or not everything was done. */
  static CliFailure failed(String message) {
    return new CliFailure(1, message);
  }

  /** What was typed, or the surroundings, are not as they must be. */
  static CliFailure usage(String message) {
    return new CliFailure(2, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
