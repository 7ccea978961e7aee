package io.amphora.core.partition;

import java.util.Arrays;
import java.util.Optional;

/** When an append is answered. */
public enum Acks {
  /** Not at all: pre-settled. */
  NONE("0"),
  /** When it is durable on the leader. */
  LEADER("1"),
  /** When the whole ISR has it: at the high watermark. */
  ALL("all");

  private final String word;

  Acks(String word) {
    this.word = word;
  }

  /** How users write it: {@code 0}, {@code 1} or {@code all}. */
  public String word() {
    return word;
  }

  /** What a user means; empty for another word. */
  public static Optional<Acks> ofWord(String word) {
    return Arrays.stream(values()).filter(acks -> acks.word.equals(word)).findFirst();
  }
}
