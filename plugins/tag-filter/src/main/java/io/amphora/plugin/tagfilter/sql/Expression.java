package io.amphora.plugin.tagfilter.sql;

import org.jspecify.annotations.Nullable;

/** A part of a compiled expression. Immutable. */
interface Expression {

  /** What is known of a value before there is a message. */
  enum Kind {
    BOOLEAN,
    NUMBER,
    STRING,
    /** That of a field: only the message says. */
    ANY
  }

  Kind kind();

  /**
   * Its value: a {@link Boolean}, {@link Long}, {@link Double}, {@link String}, something else that
   * only equals itself, or null, which is SQL's unknown.
   */
  @Nullable Object in(Evaluation evaluation);
}
